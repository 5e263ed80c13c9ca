-- calibrated
-- exact
SELECT cosines.id AS id, CASE WHEN isnan(c0 + c1 + c2) THEN (-4.410418931596718e0) ELSE (ln(((greatest(((c0 * 20e0) + (-5e0)), 0e0) + (2 * atanh(1 / (1 + 2 / exp(least(((c0 * 20e0) + (-5e0)), (- ((c0 * 20e0) + (-5e0))))))))) + ln((exp(((c1 * 10e0) + (-5e0))) + 1e0)))) + (- ln((exp(((c2 * 1.4999999999999998e0) + (-2.2499999999999996e0))) + 1e0)))) END AS score
FROM (
  SELECT documents."id" AS id,
    array_cosine_similarity(documents."embedding", $v0::FLOAT[2])::DOUBLE AS c0,
    array_cosine_similarity(documents."embedding", $v1::FLOAT[2])::DOUBLE AS c1,
    array_cosine_similarity(documents."embedding", $v2::FLOAT[2])::DOUBLE AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
) AS cosines
ORDER BY score DESC, cosines.id::VARCHAR
LIMIT $k
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- v2 = [0.0, 1.0]
-- k = 5

-- product
-- exact
SELECT cosines.id AS id, CASE WHEN isnan(c0 + c1 + c2) THEN 0e0 ELSE ((1e0 - ((1e0 - greatest(c0, 0e0)) * (1e0 - greatest(c1, 0e0)))) * (1e0 - greatest(c2, 0e0))) END AS score
FROM (
  SELECT documents."id" AS id,
    array_cosine_similarity(documents."embedding", $v0::FLOAT[2])::DOUBLE AS c0,
    array_cosine_similarity(documents."embedding", $v1::FLOAT[2])::DOUBLE AS c1,
    array_cosine_similarity(documents."embedding", $v2::FLOAT[2])::DOUBLE AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
) AS cosines
ORDER BY score DESC, cosines.id::VARCHAR
LIMIT $k
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- v2 = [0.0, 1.0]
-- k = 5

-- product of logistic curves
-- exact
SELECT cosines.id AS id, CASE WHEN isnan(c0 + c1 + c2) THEN 0e0 ELSE ((1e0 - ((1e0 - (1e0 / (1e0 + exp(least(greatest(((0.3e0 - c0) * 200e0), (-80e0)), 80e0))))) * (1e0 - (1e0 / (1e0 + exp(least(greatest(((0.3e0 - c1) * 200e0), (-80e0)), 80e0))))))) * (1e0 - (1e0 / (1e0 + exp(least(greatest(((0.3e0 - c2) * 200e0), (-80e0)), 80e0)))))) END AS score
FROM (
  SELECT documents."id" AS id,
    array_cosine_similarity(documents."embedding", $v0::FLOAT[2])::DOUBLE AS c0,
    array_cosine_similarity(documents."embedding", $v1::FLOAT[2])::DOUBLE AS c1,
    array_cosine_similarity(documents."embedding", $v2::FLOAT[2])::DOUBLE AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
) AS cosines
ORDER BY score DESC, cosines.id::VARCHAR
LIMIT $k
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- v2 = [0.0, 1.0]
-- k = 5

-- godel
-- exact
SELECT cosines.id AS id, CASE WHEN isnan(c0 + c1 + c2) THEN 0e0 ELSE least(greatest(greatest(c0, 0e0), greatest(c1, 0e0)), (1e0 - greatest(c2, 0e0))) END AS score
FROM (
  SELECT documents."id" AS id,
    array_cosine_similarity(documents."embedding", $v0::FLOAT[2])::DOUBLE AS c0,
    array_cosine_similarity(documents."embedding", $v1::FLOAT[2])::DOUBLE AS c1,
    array_cosine_similarity(documents."embedding", $v2::FLOAT[2])::DOUBLE AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
) AS cosines
ORDER BY score DESC, cosines.id::VARCHAR
LIMIT $k
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- v2 = [0.0, 1.0]
-- k = 5

-- lukasiewicz
-- exact
SELECT cosines.id AS id, CASE WHEN isnan(c0 + c1 + c2) THEN 0.5e0 ELSE greatest(0e0, ((least(1e0, (((1e0 + c0) * 0.5e0) + ((1e0 + c1) * 0.5e0))) + (1e0 - ((1e0 + c2) * 0.5e0))) - 1e0)) END AS score
FROM (
  SELECT documents."id" AS id,
    array_cosine_similarity(documents."embedding", $v0::FLOAT[2])::DOUBLE AS c0,
    array_cosine_similarity(documents."embedding", $v1::FLOAT[2])::DOUBLE AS c1,
    array_cosine_similarity(documents."embedding", $v2::FLOAT[2])::DOUBLE AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
) AS cosines
ORDER BY score DESC, cosines.id::VARCHAR
LIMIT $k
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- v2 = [0.0, 1.0]
-- k = 5

-- hamacher
-- exact
SELECT cosines.id AS id, CASE WHEN isnan(c0 + c1 + c2) THEN 0e0 ELSE (((1e0 / (((1e0 / greatest((1e0 - (((1e0 / (((1e0 / greatest((1e0 - greatest(c0, 0e0)), 1e-40)) + (1e0 / greatest((1e0 - greatest(c1, 0e0)), 1e-40))) - 1e0)) + 1e-20) - 1e-20)), 1e-40)) + (1e0 / greatest((1e0 - greatest(c2, 0e0)), 1e-40))) - 1e0)) + 1e-20) - 1e-20) END AS score
FROM (
  SELECT documents."id" AS id,
    array_cosine_similarity(documents."embedding", $v0::FLOAT[2])::DOUBLE AS c0,
    array_cosine_similarity(documents."embedding", $v1::FLOAT[2])::DOUBLE AS c1,
    array_cosine_similarity(documents."embedding", $v2::FLOAT[2])::DOUBLE AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
) AS cosines
ORDER BY score DESC, cosines.id::VARCHAR
LIMIT $k
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- v2 = [0.0, 1.0]
-- k = 5

-- itlr
-- exact
SELECT cosines.id AS id, CASE WHEN isnan(c0 + c1 + c2) THEN 0e0 ELSE ((c0 + c1) * (1e0 - c2)) END AS score
FROM (
  SELECT documents."id" AS id,
    array_cosine_similarity(documents."embedding", $v0::FLOAT[2])::DOUBLE AS c0,
    array_cosine_similarity(documents."embedding", $v1::FLOAT[2])::DOUBLE AS c1,
    array_cosine_similarity(documents."embedding", $v2::FLOAT[2])::DOUBLE AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
) AS cosines
ORDER BY score DESC, cosines.id::VARCHAR
LIMIT $k
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- v2 = [0.0, 1.0]
-- k = 5

-- itlr of other operators
-- exact
SELECT cosines.id AS id, CASE WHEN isnan(c0 + c1) THEN 0e0 ELSE (1e0 - ((1e0 - c0) * (1e0 - c1))) END AS score
FROM (
  SELECT documents."id" AS id,
    array_cosine_similarity(documents."embedding", $v0::FLOAT[2])::DOUBLE AS c0,
    array_cosine_similarity(documents."embedding", $v1::FLOAT[2])::DOUBLE AS c1
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
) AS cosines
ORDER BY score DESC, cosines.id::VARCHAR
LIMIT $k
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- k = 5
