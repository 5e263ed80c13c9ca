-- calibrated
-- exact
SELECT cosines.id AS id, (ln(((greatest(((c0 * 20.0e0) + (-5.0e0)), 0.0e0) + ln(1.0e0 + exp(least(least(((c0 * 20.0e0) + (-5.0e0)), (- ((c0 * 20.0e0) + (-5.0e0)))), 709.0e0)))) + ln((exp(least(((c1 * 10.0e0) + (-5.0e0)), 709.0e0)) + 1.0e0)))) + (- ln((exp(least(((c2 * 1.4999999999999998e0) + (-2.2499999999999996e0)), 709.0e0)) + 1.0e0)))) AS score
FROM (
  SELECT documents.`id` AS id,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v0)s))), 0.0e0) AS c0,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v1)s))), 0.0e0) AS c1,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v2)s))), 0.0e0) AS c2
  FROM `passages` AS documents
  WHERE documents.`embedding` IS NOT NULL
  ORDER BY id LIMIT 9223372036854775807
) AS cosines
ORDER BY score DESC, CAST(CAST(cosines.id AS CHAR) AS BINARY)
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- v2 = '[0.0,1.0]'
-- k = 5

-- product
-- exact
SELECT cosines.id AS id, ((1.0e0 - ((1.0e0 - greatest(c0, 0.0e0)) * (1.0e0 - greatest(c1, 0.0e0)))) * (1.0e0 - greatest(c2, 0.0e0))) AS score
FROM (
  SELECT documents.`id` AS id,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v0)s))), 0.0e0) AS c0,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v1)s))), 0.0e0) AS c1,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v2)s))), 0.0e0) AS c2
  FROM `passages` AS documents
  WHERE documents.`embedding` IS NOT NULL
  ORDER BY id LIMIT 9223372036854775807
) AS cosines
ORDER BY score DESC, CAST(CAST(cosines.id AS CHAR) AS BINARY)
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- v2 = '[0.0,1.0]'
-- k = 5

-- product of logistic curves
-- exact
SELECT cosines.id AS id, ((1.0e0 - ((1.0e0 - (1.0e0 / (1.0e0 + exp(least(least(greatest(((0.3e0 - c0) * 200.0e0), (-80.0e0)), 80.0e0), 709.0e0))))) * (1.0e0 - (1.0e0 / (1.0e0 + exp(least(least(greatest(((0.3e0 - c1) * 200.0e0), (-80.0e0)), 80.0e0), 709.0e0))))))) * (1.0e0 - (1.0e0 / (1.0e0 + exp(least(least(greatest(((0.3e0 - c2) * 200.0e0), (-80.0e0)), 80.0e0), 709.0e0)))))) AS score
FROM (
  SELECT documents.`id` AS id,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v0)s))), 0.0e0) AS c0,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v1)s))), 0.0e0) AS c1,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v2)s))), 0.0e0) AS c2
  FROM `passages` AS documents
  WHERE documents.`embedding` IS NOT NULL
  ORDER BY id LIMIT 9223372036854775807
) AS cosines
ORDER BY score DESC, CAST(CAST(cosines.id AS CHAR) AS BINARY)
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- v2 = '[0.0,1.0]'
-- k = 5

-- godel
-- exact
SELECT cosines.id AS id, least(greatest(greatest(c0, 0.0e0), greatest(c1, 0.0e0)), (1.0e0 - greatest(c2, 0.0e0))) AS score
FROM (
  SELECT documents.`id` AS id,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v0)s))), 0.0e0) AS c0,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v1)s))), 0.0e0) AS c1,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v2)s))), 0.0e0) AS c2
  FROM `passages` AS documents
  WHERE documents.`embedding` IS NOT NULL
  ORDER BY id LIMIT 9223372036854775807
) AS cosines
ORDER BY score DESC, CAST(CAST(cosines.id AS CHAR) AS BINARY)
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- v2 = '[0.0,1.0]'
-- k = 5

-- lukasiewicz
-- exact
SELECT cosines.id AS id, greatest(0.0e0, ((least(1.0e0, (((1.0e0 + c0) * 0.5e0) + ((1.0e0 + c1) * 0.5e0))) + (1.0e0 - ((1.0e0 + c2) * 0.5e0))) - 1.0e0)) AS score
FROM (
  SELECT documents.`id` AS id,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v0)s))), 0.0e0) AS c0,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v1)s))), 0.0e0) AS c1,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v2)s))), 0.0e0) AS c2
  FROM `passages` AS documents
  WHERE documents.`embedding` IS NOT NULL
  ORDER BY id LIMIT 9223372036854775807
) AS cosines
ORDER BY score DESC, CAST(CAST(cosines.id AS CHAR) AS BINARY)
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- v2 = '[0.0,1.0]'
-- k = 5

-- hamacher
-- exact
SELECT cosines.id AS id, (((1.0e0 / (((1.0e0 / greatest((1.0e0 - (((1.0e0 / (((1.0e0 / greatest((1.0e0 - greatest(c0, 0.0e0)), 1e-40)) + (1.0e0 / greatest((1.0e0 - greatest(c1, 0.0e0)), 1e-40))) - 1.0e0)) + 1e-20) - 1e-20)), 1e-40)) + (1.0e0 / greatest((1.0e0 - greatest(c2, 0.0e0)), 1e-40))) - 1.0e0)) + 1e-20) - 1e-20) AS score
FROM (
  SELECT documents.`id` AS id,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v0)s))), 0.0e0) AS c0,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v1)s))), 0.0e0) AS c1,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v2)s))), 0.0e0) AS c2
  FROM `passages` AS documents
  WHERE documents.`embedding` IS NOT NULL
  ORDER BY id LIMIT 9223372036854775807
) AS cosines
ORDER BY score DESC, CAST(CAST(cosines.id AS CHAR) AS BINARY)
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- v2 = '[0.0,1.0]'
-- k = 5

-- itlr
-- exact
SELECT cosines.id AS id, ((c0 + c1) * (1.0e0 - c2)) AS score
FROM (
  SELECT documents.`id` AS id,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v0)s))), 0.0e0) AS c0,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v1)s))), 0.0e0) AS c1,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v2)s))), 0.0e0) AS c2
  FROM `passages` AS documents
  WHERE documents.`embedding` IS NOT NULL
  ORDER BY id LIMIT 9223372036854775807
) AS cosines
ORDER BY score DESC, CAST(CAST(cosines.id AS CHAR) AS BINARY)
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- v2 = '[0.0,1.0]'
-- k = 5

-- itlr of other operators
-- exact
SELECT cosines.id AS id, (1.0e0 - ((1.0e0 - c0) * (1.0e0 - c1))) AS score
FROM (
  SELECT documents.`id` AS id,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v0)s))), 0.0e0) AS c0,
    coalesce(greatest(-1.0e0, least(1.0e0, 1 - cosine_distance(documents.`embedding`, %(v1)s))), 0.0e0) AS c1
  FROM `passages` AS documents
  WHERE documents.`embedding` IS NOT NULL
  ORDER BY id LIMIT 9223372036854775807
) AS cosines
ORDER BY score DESC, CAST(CAST(cosines.id AS CHAR) AS BINARY)
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- k = 5
