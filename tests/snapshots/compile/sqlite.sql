-- calibrated
-- exact
SELECT cosines.id AS id, (ln(((max(((c0 * 20.0) + (-5.0)), 0.0) + (2 * atanh(1 / (1 + 2 / exp(min(((c0 * 20.0) + (-5.0)), (- ((c0 * 20.0) + (-5.0))))))))) + ln((exp(((c1 * 10.0) + (-5.0))) + 1.0)))) + (- ln((exp(((c2 * 1.4999999999999998) + (-2.2499999999999996))) + 1.0)))) AS score
FROM (
  SELECT documents."id" AS id,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v0))), 0.0) AS c0,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v1))), 0.0) AS c1,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v2))), 0.0) AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
  LIMIT -1
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS TEXT) COLLATE BINARY
LIMIT :k
-- v0 = b'\x00\x00\x80?\x00\x00\x00\x00'
-- v1 = b'\x9a\x99\x19?\xcd\xccL?'
-- v2 = b'\x00\x00\x00\x00\x00\x00\x80?'
-- k = 5

-- product
-- exact
SELECT cosines.id AS id, ((1.0 - ((1.0 - max(c0, 0.0)) * (1.0 - max(c1, 0.0)))) * (1.0 - max(c2, 0.0))) AS score
FROM (
  SELECT documents."id" AS id,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v0))), 0.0) AS c0,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v1))), 0.0) AS c1,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v2))), 0.0) AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
  LIMIT -1
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS TEXT) COLLATE BINARY
LIMIT :k
-- v0 = b'\x00\x00\x80?\x00\x00\x00\x00'
-- v1 = b'\x9a\x99\x19?\xcd\xccL?'
-- v2 = b'\x00\x00\x00\x00\x00\x00\x80?'
-- k = 5

-- product of logistic curves
-- exact
SELECT cosines.id AS id, ((1.0 - ((1.0 - (1.0 / (1.0 + exp(min(max(((0.3 - c0) * 200.0), (-80.0)), 80.0))))) * (1.0 - (1.0 / (1.0 + exp(min(max(((0.3 - c1) * 200.0), (-80.0)), 80.0))))))) * (1.0 - (1.0 / (1.0 + exp(min(max(((0.3 - c2) * 200.0), (-80.0)), 80.0)))))) AS score
FROM (
  SELECT documents."id" AS id,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v0))), 0.0) AS c0,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v1))), 0.0) AS c1,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v2))), 0.0) AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
  LIMIT -1
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS TEXT) COLLATE BINARY
LIMIT :k
-- v0 = b'\x00\x00\x80?\x00\x00\x00\x00'
-- v1 = b'\x9a\x99\x19?\xcd\xccL?'
-- v2 = b'\x00\x00\x00\x00\x00\x00\x80?'
-- k = 5

-- godel
-- exact
SELECT cosines.id AS id, min(max(max(c0, 0.0), max(c1, 0.0)), (1.0 - max(c2, 0.0))) AS score
FROM (
  SELECT documents."id" AS id,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v0))), 0.0) AS c0,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v1))), 0.0) AS c1,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v2))), 0.0) AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
  LIMIT -1
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS TEXT) COLLATE BINARY
LIMIT :k
-- v0 = b'\x00\x00\x80?\x00\x00\x00\x00'
-- v1 = b'\x9a\x99\x19?\xcd\xccL?'
-- v2 = b'\x00\x00\x00\x00\x00\x00\x80?'
-- k = 5

-- lukasiewicz
-- exact
SELECT cosines.id AS id, max(0.0, ((min(1.0, (((1.0 + c0) * 0.5) + ((1.0 + c1) * 0.5))) + (1.0 - ((1.0 + c2) * 0.5))) - 1.0)) AS score
FROM (
  SELECT documents."id" AS id,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v0))), 0.0) AS c0,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v1))), 0.0) AS c1,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v2))), 0.0) AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
  LIMIT -1
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS TEXT) COLLATE BINARY
LIMIT :k
-- v0 = b'\x00\x00\x80?\x00\x00\x00\x00'
-- v1 = b'\x9a\x99\x19?\xcd\xccL?'
-- v2 = b'\x00\x00\x00\x00\x00\x00\x80?'
-- k = 5

-- hamacher
-- exact
SELECT cosines.id AS id, (((1.0 / (((1.0 / max((1.0 - (((1.0 / (((1.0 / max((1.0 - max(c0, 0.0)), 1e-40)) + (1.0 / max((1.0 - max(c1, 0.0)), 1e-40))) - 1.0)) + 1e-20) - 1e-20)), 1e-40)) + (1.0 / max((1.0 - max(c2, 0.0)), 1e-40))) - 1.0)) + 1e-20) - 1e-20) AS score
FROM (
  SELECT documents."id" AS id,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v0))), 0.0) AS c0,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v1))), 0.0) AS c1,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v2))), 0.0) AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
  LIMIT -1
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS TEXT) COLLATE BINARY
LIMIT :k
-- v0 = b'\x00\x00\x80?\x00\x00\x00\x00'
-- v1 = b'\x9a\x99\x19?\xcd\xccL?'
-- v2 = b'\x00\x00\x00\x00\x00\x00\x80?'
-- k = 5

-- itlr
-- exact
SELECT cosines.id AS id, ((c0 + c1) * (1.0 - c2)) AS score
FROM (
  SELECT documents."id" AS id,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v0))), 0.0) AS c0,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v1))), 0.0) AS c1,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v2))), 0.0) AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
  LIMIT -1
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS TEXT) COLLATE BINARY
LIMIT :k
-- v0 = b'\x00\x00\x80?\x00\x00\x00\x00'
-- v1 = b'\x9a\x99\x19?\xcd\xccL?'
-- v2 = b'\x00\x00\x00\x00\x00\x00\x80?'
-- k = 5

-- itlr of other operators
-- exact
SELECT cosines.id AS id, (1.0 - ((1.0 - c0) * (1.0 - c1))) AS score
FROM (
  SELECT documents."id" AS id,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v0))), 0.0) AS c0,
    coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine(documents."embedding", :v1))), 0.0) AS c1
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
  LIMIT -1
) AS cosines
ORDER BY score DESC, CAST(cosines.id AS TEXT) COLLATE BINARY
LIMIT :k
-- v0 = b'\x00\x00\x80?\x00\x00\x00\x00'
-- v1 = b'\x9a\x99\x19?\xcd\xccL?'
-- k = 5
