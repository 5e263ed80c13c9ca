-- calibrated
-- exact
SELECT cosines.id AS id, (ln(((greatest(((c0 * 20.0D) + (-5.0D)), 0.0D) + log1p(exp(least(((c0 * 20.0D) + (-5.0D)), (- ((c0 * 20.0D) + (-5.0D))))))) + ln((exp(((c1 * 10.0D) + (-5.0D))) + 1.0D)))) + (- ln((exp(((c2 * 1.4999999999999998D) + (-2.2499999999999996D))) + 1.0D)))) AS score
FROM (
  SELECT documents.`id` AS id,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v0, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c0,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v1, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c1,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v2, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c2
  FROM `passages` AS documents
  WHERE documents.`embedding` IS NOT NULL
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS STRING)
LIMIT :k
-- v0 = '1.0,0.0'
-- v1 = '0.6000000238418579,0.800000011920929'
-- v2 = '0.0,1.0'
-- k = 5

-- product
-- exact
SELECT cosines.id AS id, ((1.0D - ((1.0D - greatest(c0, 0.0D)) * (1.0D - greatest(c1, 0.0D)))) * (1.0D - greatest(c2, 0.0D))) AS score
FROM (
  SELECT documents.`id` AS id,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v0, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c0,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v1, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c1,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v2, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c2
  FROM `passages` AS documents
  WHERE documents.`embedding` IS NOT NULL
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS STRING)
LIMIT :k
-- v0 = '1.0,0.0'
-- v1 = '0.6000000238418579,0.800000011920929'
-- v2 = '0.0,1.0'
-- k = 5

-- product of logistic curves
-- exact
SELECT cosines.id AS id, ((1.0D - ((1.0D - (1.0D / (1.0D + exp(least(greatest(((0.3D - c0) * 200.0D), (-80.0D)), 80.0D))))) * (1.0D - (1.0D / (1.0D + exp(least(greatest(((0.3D - c1) * 200.0D), (-80.0D)), 80.0D))))))) * (1.0D - (1.0D / (1.0D + exp(least(greatest(((0.3D - c2) * 200.0D), (-80.0D)), 80.0D)))))) AS score
FROM (
  SELECT documents.`id` AS id,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v0, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c0,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v1, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c1,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v2, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c2
  FROM `passages` AS documents
  WHERE documents.`embedding` IS NOT NULL
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS STRING)
LIMIT :k
-- v0 = '1.0,0.0'
-- v1 = '0.6000000238418579,0.800000011920929'
-- v2 = '0.0,1.0'
-- k = 5

-- godel
-- exact
SELECT cosines.id AS id, least(greatest(greatest(c0, 0.0D), greatest(c1, 0.0D)), (1.0D - greatest(c2, 0.0D))) AS score
FROM (
  SELECT documents.`id` AS id,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v0, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c0,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v1, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c1,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v2, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c2
  FROM `passages` AS documents
  WHERE documents.`embedding` IS NOT NULL
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS STRING)
LIMIT :k
-- v0 = '1.0,0.0'
-- v1 = '0.6000000238418579,0.800000011920929'
-- v2 = '0.0,1.0'
-- k = 5

-- lukasiewicz
-- exact
SELECT cosines.id AS id, greatest(0.0D, ((least(1.0D, (((1.0D + c0) * 0.5D) + ((1.0D + c1) * 0.5D))) + (1.0D - ((1.0D + c2) * 0.5D))) - 1.0D)) AS score
FROM (
  SELECT documents.`id` AS id,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v0, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c0,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v1, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c1,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v2, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c2
  FROM `passages` AS documents
  WHERE documents.`embedding` IS NOT NULL
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS STRING)
LIMIT :k
-- v0 = '1.0,0.0'
-- v1 = '0.6000000238418579,0.800000011920929'
-- v2 = '0.0,1.0'
-- k = 5

-- hamacher
-- exact
SELECT cosines.id AS id, (((1.0D / (((1.0D / greatest((1.0D - (((1.0D / (((1.0D / greatest((1.0D - greatest(c0, 0.0D)), 1e-40D)) + (1.0D / greatest((1.0D - greatest(c1, 0.0D)), 1e-40D))) - 1.0D)) + 1e-20D) - 1e-20D)), 1e-40D)) + (1.0D / greatest((1.0D - greatest(c2, 0.0D)), 1e-40D))) - 1.0D)) + 1e-20D) - 1e-20D) AS score
FROM (
  SELECT documents.`id` AS id,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v0, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c0,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v1, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c1,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v2, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c2
  FROM `passages` AS documents
  WHERE documents.`embedding` IS NOT NULL
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS STRING)
LIMIT :k
-- v0 = '1.0,0.0'
-- v1 = '0.6000000238418579,0.800000011920929'
-- v2 = '0.0,1.0'
-- k = 5

-- itlr
-- exact
SELECT cosines.id AS id, ((c0 + c1) * (1.0D - c2)) AS score
FROM (
  SELECT documents.`id` AS id,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v0, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c0,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v1, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c1,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v2, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c2
  FROM `passages` AS documents
  WHERE documents.`embedding` IS NOT NULL
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS STRING)
LIMIT :k
-- v0 = '1.0,0.0'
-- v1 = '0.6000000238418579,0.800000011920929'
-- v2 = '0.0,1.0'
-- k = 5

-- itlr of other operators
-- exact
SELECT cosines.id AS id, (1.0D - ((1.0D - c0) * (1.0D - c1))) AS score
FROM (
  SELECT documents.`id` AS id,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v0, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c0,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_cosine_similarity(documents.`embedding`, CAST(split(:v1, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c1
  FROM `passages` AS documents
  WHERE documents.`embedding` IS NOT NULL
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS STRING)
LIMIT :k
-- v0 = '1.0,0.0'
-- v1 = '0.6000000238418579,0.800000011920929'
-- k = 5
