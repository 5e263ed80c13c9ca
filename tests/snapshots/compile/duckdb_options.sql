-- exact
SELECT cosines.id AS id, CASE WHEN isnan(c0 + c1 + c2) THEN 0e0 ELSE ((c0 + c1) * (1e0 - c2)) END AS score
FROM (
  SELECT documents."i""d" AS id,
    array_inner_product(documents."v\ec", $v0::FLOAT[2])::DOUBLE AS c0,
    array_inner_product(documents."v\ec", $v1::FLOAT[2])::DOUBLE AS c1,
    array_inner_product(documents."v\ec", $v2::FLOAT[2])::DOUBLE AS c2
  FROM "sch'ema"."the ""table"" `%s`" AS documents
  WHERE documents."v\ec" IS NOT NULL
) AS cosines
ORDER BY score DESC, cosines.id::VARCHAR
LIMIT $k
-- v0 = [1.0, 0.0]
-- v1 = [0.6000000238418579, 0.800000011920929]
-- v2 = [0.0, 1.0]
-- k = 5
