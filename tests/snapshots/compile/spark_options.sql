-- exact
SELECT cosines.id AS id, ((c0 + c1) * (1.0D - c2)) AS score
FROM (
  SELECT documents.`i"d` AS id,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_inner_product(documents.`v\ec`, CAST(split(:v0, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c0,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_inner_product(documents.`v\ec`, CAST(split(:v1, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c1,
    greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_inner_product(documents.`v\ec`, CAST(split(:v2, ',') AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c2
  FROM `sch'ema`.`the "table" ``%s``` AS documents
  WHERE documents.`v\ec` IS NOT NULL
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS STRING)
LIMIT :k
-- v0 = '1.0,0.0'
-- v1 = '0.6000000238418579,0.800000011920929'
-- v2 = '0.0,1.0'
-- k = 5
