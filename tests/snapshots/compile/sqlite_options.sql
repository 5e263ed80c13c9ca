-- exact
SELECT cosines.id AS id, ((c0 + c1) * (1.0 - c2)) AS score
FROM (
  SELECT documents."i""d" AS id,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."v\ec", :v0))), 0.0) AS c0,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."v\ec", :v1))), 0.0) AS c1,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."v\ec", :v2))), 0.0) AS c2
  FROM "sch'ema"."the ""table"" `%s`" AS documents
  WHERE documents."v\ec" IS NOT NULL
  LIMIT -1
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS TEXT) COLLATE BINARY
LIMIT :k
-- v0 = b'\x00\x00\x80?\x00\x00\x00\x00'
-- v1 = b'\x9a\x99\x19?\xcd\xccL?'
-- v2 = b'\x00\x00\x00\x00\x00\x00\x80?'
-- k = 5
