-- exact
SELECT cosines.id AS id, ((c0 + c1) * (1.0 - c2)) AS score
FROM (
  SELECT documents.`i"d` AS id,
    greatest(-1., least(1., ifNotFinite(dotProduct(documents.`v\\ec`, {v0:Array(Float32)}), 0))) AS c0,
    greatest(-1., least(1., ifNotFinite(dotProduct(documents.`v\\ec`, {v1:Array(Float32)}), 0))) AS c1,
    greatest(-1., least(1., ifNotFinite(dotProduct(documents.`v\\ec`, {v2:Array(Float32)}), 0))) AS c2
  FROM `sch'ema`.`the "table" \`%s\`` AS documents
  WHERE notEmpty(documents.`v\\ec`)
) AS cosines
ORDER BY score DESC, toString(cosines.id)
LIMIT {k:Int64}
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- v2 = [0.0, 1.0]
-- k = 5

-- superset
SELECT cosines.id AS id, ((c0 + c1) * (1.0 - c2)) AS score
FROM (
  SELECT documents.`i"d` AS id,
    greatest(-1., least(1., ifNotFinite(dotProduct(documents.`v\\ec`, {v0:Array(Float32)}), 0))) AS c0,
    greatest(-1., least(1., ifNotFinite(dotProduct(documents.`v\\ec`, {v1:Array(Float32)}), 0))) AS c1,
    greatest(-1., least(1., ifNotFinite(dotProduct(documents.`v\\ec`, {v2:Array(Float32)}), 0))) AS c2
  FROM `sch'ema`.`the "table" \`%s\`` AS documents
  WHERE notEmpty(documents.`v\\ec`) AND documents.`i"d` IN (SELECT candidates.id FROM ((SELECT documents.`i"d` AS id FROM `sch'ema`.`the "table" \`%s\`` AS documents
  ORDER BY cosineDistance(documents.`v\\ec`, {v0:Array(Float32)}) LIMIT {n:Int64}) UNION DISTINCT (SELECT documents.`i"d` AS id FROM `sch'ema`.`the "table" \`%s\`` AS documents
  ORDER BY cosineDistance(documents.`v\\ec`, {v1:Array(Float32)}) LIMIT {n:Int64})) AS candidates)
) AS cosines
ORDER BY score DESC, toString(cosines.id)
LIMIT {k:Int64}
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- v2 = [0.0, 1.0]
-- n = 100
-- k = 5
