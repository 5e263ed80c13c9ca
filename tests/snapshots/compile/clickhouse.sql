-- calibrated
-- exact
SELECT cosines.id AS id, (ln(((greatest(((c0 * 20.0) + (-5.0)), 0.0) + log1p(exp(least(((c0 * 20.0) + (-5.0)), (- ((c0 * 20.0) + (-5.0))))))) + ln((exp(((c1 * 10.0) + (-5.0))) + 1.0)))) + (- ln((exp(((c2 * 1.4999999999999998) + (-2.2499999999999996))) + 1.0)))) AS score
FROM (
  SELECT documents.`id` AS id,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v0:Array(Float32)}), 0))) AS c0,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v1:Array(Float32)}), 0))) AS c1,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v2:Array(Float32)}), 0))) AS c2
  FROM `passages` AS documents
  WHERE notEmpty(documents.`embedding`)
) AS cosines
ORDER BY score DESC, toString(cosines.id)
LIMIT {k:Int64}
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- v2 = [0.0, 1.0]
-- k = 5

-- product
-- exact
SELECT cosines.id AS id, ((1.0 - ((1.0 - greatest(c0, 0.0)) * (1.0 - greatest(c1, 0.0)))) * (1.0 - greatest(c2, 0.0))) AS score
FROM (
  SELECT documents.`id` AS id,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v0:Array(Float32)}), 0))) AS c0,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v1:Array(Float32)}), 0))) AS c1,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v2:Array(Float32)}), 0))) AS c2
  FROM `passages` AS documents
  WHERE notEmpty(documents.`embedding`)
) AS cosines
ORDER BY score DESC, toString(cosines.id)
LIMIT {k:Int64}
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- v2 = [0.0, 1.0]
-- k = 5

-- product of logistic curves
-- exact
SELECT cosines.id AS id, ((1.0 - ((1.0 - (1.0 / (1.0 + exp(least(greatest(((0.3 - c0) * 200.0), (-80.0)), 80.0))))) * (1.0 - (1.0 / (1.0 + exp(least(greatest(((0.3 - c1) * 200.0), (-80.0)), 80.0))))))) * (1.0 - (1.0 / (1.0 + exp(least(greatest(((0.3 - c2) * 200.0), (-80.0)), 80.0)))))) AS score
FROM (
  SELECT documents.`id` AS id,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v0:Array(Float32)}), 0))) AS c0,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v1:Array(Float32)}), 0))) AS c1,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v2:Array(Float32)}), 0))) AS c2
  FROM `passages` AS documents
  WHERE notEmpty(documents.`embedding`)
) AS cosines
ORDER BY score DESC, toString(cosines.id)
LIMIT {k:Int64}
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- v2 = [0.0, 1.0]
-- k = 5

-- godel
-- exact
SELECT cosines.id AS id, least(greatest(greatest(c0, 0.0), greatest(c1, 0.0)), (1.0 - greatest(c2, 0.0))) AS score
FROM (
  SELECT documents.`id` AS id,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v0:Array(Float32)}), 0))) AS c0,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v1:Array(Float32)}), 0))) AS c1,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v2:Array(Float32)}), 0))) AS c2
  FROM `passages` AS documents
  WHERE notEmpty(documents.`embedding`)
) AS cosines
ORDER BY score DESC, toString(cosines.id)
LIMIT {k:Int64}
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- v2 = [0.0, 1.0]
-- k = 5

-- lukasiewicz
-- exact
SELECT cosines.id AS id, greatest(0.0, ((least(1.0, (((1.0 + c0) * 0.5) + ((1.0 + c1) * 0.5))) + (1.0 - ((1.0 + c2) * 0.5))) - 1.0)) AS score
FROM (
  SELECT documents.`id` AS id,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v0:Array(Float32)}), 0))) AS c0,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v1:Array(Float32)}), 0))) AS c1,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v2:Array(Float32)}), 0))) AS c2
  FROM `passages` AS documents
  WHERE notEmpty(documents.`embedding`)
) AS cosines
ORDER BY score DESC, toString(cosines.id)
LIMIT {k:Int64}
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- v2 = [0.0, 1.0]
-- k = 5

-- hamacher
-- exact
SELECT cosines.id AS id, (((1.0 / (((1.0 / greatest((1.0 - (((1.0 / (((1.0 / greatest((1.0 - greatest(c0, 0.0)), 1e-40)) + (1.0 / greatest((1.0 - greatest(c1, 0.0)), 1e-40))) - 1.0)) + 1e-20) - 1e-20)), 1e-40)) + (1.0 / greatest((1.0 - greatest(c2, 0.0)), 1e-40))) - 1.0)) + 1e-20) - 1e-20) AS score
FROM (
  SELECT documents.`id` AS id,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v0:Array(Float32)}), 0))) AS c0,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v1:Array(Float32)}), 0))) AS c1,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v2:Array(Float32)}), 0))) AS c2
  FROM `passages` AS documents
  WHERE notEmpty(documents.`embedding`)
) AS cosines
ORDER BY score DESC, toString(cosines.id)
LIMIT {k:Int64}
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- v2 = [0.0, 1.0]
-- k = 5

-- itlr
-- exact
SELECT cosines.id AS id, ((c0 + c1) * (1.0 - c2)) AS score
FROM (
  SELECT documents.`id` AS id,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v0:Array(Float32)}), 0))) AS c0,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v1:Array(Float32)}), 0))) AS c1,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v2:Array(Float32)}), 0))) AS c2
  FROM `passages` AS documents
  WHERE notEmpty(documents.`embedding`)
) AS cosines
ORDER BY score DESC, toString(cosines.id)
LIMIT {k:Int64}
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- v2 = [0.0, 1.0]
-- k = 5

-- itlr of other operators
-- exact
SELECT cosines.id AS id, (1.0 - ((1.0 - c0) * (1.0 - c1))) AS score
FROM (
  SELECT documents.`id` AS id,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v0:Array(Float32)}), 0))) AS c0,
    greatest(-1., least(1., ifNotFinite(1 - cosineDistance(documents.`embedding`, {v1:Array(Float32)}), 0))) AS c1
  FROM `passages` AS documents
  WHERE notEmpty(documents.`embedding`)
) AS cosines
ORDER BY score DESC, toString(cosines.id)
LIMIT {k:Int64}
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- k = 5
