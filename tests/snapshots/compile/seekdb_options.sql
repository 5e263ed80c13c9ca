-- exact
SELECT cosines.id AS id, ((c0 + c1) * (1.0e0 - c2)) AS score
FROM (
  SELECT documents.`i"d` AS id,
    coalesce(greatest(-1.0e0, least(1.0e0, inner_product(documents.`v\ec`, %(v0)s))), 0.0e0) AS c0,
    coalesce(greatest(-1.0e0, least(1.0e0, inner_product(documents.`v\ec`, %(v1)s))), 0.0e0) AS c1,
    coalesce(greatest(-1.0e0, least(1.0e0, inner_product(documents.`v\ec`, %(v2)s))), 0.0e0) AS c2
  FROM `sch'ema`.`the "table" ``%%s``` AS documents
  WHERE documents.`v\ec` IS NOT NULL
  ORDER BY id LIMIT 9223372036854775807
) AS cosines
ORDER BY score DESC, CAST(CAST(cosines.id AS CHAR) AS BINARY)
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- v2 = '[0.0,1.0]'
-- k = 5
