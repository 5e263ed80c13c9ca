-- exact
SELECT cosines.id AS id, ((c0 + c1) * (1.0 - c2)) AS score
FROM (
  SELECT documents."i""d" AS id,
    greatest(-1, least(1, 1 - (1 + (documents."v\ec" <#> %(v0)s::vector)))) AS c0,
    greatest(-1, least(1, 1 - (1 + (documents."v\ec" <#> %(v1)s::vector)))) AS c1,
    greatest(-1, least(1, 1 - (1 + (documents."v\ec" <#> %(v2)s::vector)))) AS c2
  FROM "sch'ema"."the ""table"" `%%s`" AS documents
  WHERE documents."v\ec" IS NOT NULL
  OFFSET '0'
) AS cosines
ORDER BY score DESC, cosines.id::text COLLATE "C"
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- v2 = '[0.0,1.0]'
-- k = 5

-- superset
SELECT cosines.id AS id, ((c0 + c1) * (1.0 - c2)) AS score
FROM (
  SELECT documents."i""d" AS id,
    greatest(-1, least(1, 1 - (1 + (documents."v\ec" <#> %(v0)s::vector)))) AS c0,
    greatest(-1, least(1, 1 - (1 + (documents."v\ec" <#> %(v1)s::vector)))) AS c1,
    greatest(-1, least(1, 1 - (1 + (documents."v\ec" <#> %(v2)s::vector)))) AS c2
  FROM "sch'ema"."the ""table"" `%%s`" AS documents
  WHERE documents."v\ec" IS NOT NULL AND documents."i""d" IN (SELECT candidates.id FROM ((SELECT documents."i""d" AS id FROM "sch'ema"."the ""table"" `%%s`" AS documents
  ORDER BY documents."v\ec" <=> %(v0)s::vector LIMIT %(n)s) UNION DISTINCT (SELECT documents."i""d" AS id FROM "sch'ema"."the ""table"" `%%s`" AS documents
  ORDER BY documents."v\ec" <=> %(v1)s::vector LIMIT %(n)s)) AS candidates)
  OFFSET '0'
) AS cosines
ORDER BY score DESC, cosines.id::text COLLATE "C"
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- v2 = '[0.0,1.0]'
-- n = 100
-- k = 5
