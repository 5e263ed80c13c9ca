-- calibrated
-- exact
SELECT cosines.id AS id, CASE WHEN c0 + c1 + c2 = 'NaN' THEN (-4.410418931596718) ELSE (ln(((greatest(((c0 * 20.0) + (-5.0)), 0.0) + (2 * atanh(1 / (1 + 2 / exp(least(((c0 * 20.0) + (-5.0)), (- ((c0 * 20.0) + (-5.0))))))))) + ln((exp(((c1 * 10.0) + (-5.0))) + 1.0)))) + (- ln((exp(((c2 * 1.4999999999999998) + (-2.2499999999999996))) + 1.0)))) END AS score
FROM (
  SELECT documents."id" AS id,
    1 - (documents."embedding" <=> %(v0)s::vector) AS c0,
    1 - (documents."embedding" <=> %(v1)s::vector) AS c1,
    1 - (documents."embedding" <=> %(v2)s::vector) AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
  OFFSET '0'
) AS cosines
ORDER BY score DESC, cosines.id::text COLLATE "C"
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- v2 = '[0.0,1.0]'
-- k = 5

-- product
-- exact
SELECT cosines.id AS id, CASE WHEN c0 + c1 + c2 = 'NaN' THEN 0.0 ELSE ((1.0 - ((1.0 - greatest(c0, 0.0)) * (1.0 - greatest(c1, 0.0)))) * (1.0 - greatest(c2, 0.0))) END AS score
FROM (
  SELECT documents."id" AS id,
    1 - (documents."embedding" <=> %(v0)s::vector) AS c0,
    1 - (documents."embedding" <=> %(v1)s::vector) AS c1,
    1 - (documents."embedding" <=> %(v2)s::vector) AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
  OFFSET '0'
) AS cosines
ORDER BY score DESC, cosines.id::text COLLATE "C"
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- v2 = '[0.0,1.0]'
-- k = 5

-- product of logistic curves
-- exact
SELECT cosines.id AS id, CASE WHEN c0 + c1 + c2 = 'NaN' THEN 0.0 ELSE ((1.0 - ((1.0 - (1.0 / (1.0 + exp(least(greatest(((0.3 - c0) * 200.0), (-80.0)), 80.0))))) * (1.0 - (1.0 / (1.0 + exp(least(greatest(((0.3 - c1) * 200.0), (-80.0)), 80.0))))))) * (1.0 - (1.0 / (1.0 + exp(least(greatest(((0.3 - c2) * 200.0), (-80.0)), 80.0)))))) END AS score
FROM (
  SELECT documents."id" AS id,
    1 - (documents."embedding" <=> %(v0)s::vector) AS c0,
    1 - (documents."embedding" <=> %(v1)s::vector) AS c1,
    1 - (documents."embedding" <=> %(v2)s::vector) AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
  OFFSET '0'
) AS cosines
ORDER BY score DESC, cosines.id::text COLLATE "C"
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- v2 = '[0.0,1.0]'
-- k = 5

-- godel
-- exact
SELECT cosines.id AS id, CASE WHEN c0 + c1 + c2 = 'NaN' THEN 0.0 ELSE least(greatest(greatest(c0, 0.0), greatest(c1, 0.0)), (1.0 - greatest(c2, 0.0))) END AS score
FROM (
  SELECT documents."id" AS id,
    1 - (documents."embedding" <=> %(v0)s::vector) AS c0,
    1 - (documents."embedding" <=> %(v1)s::vector) AS c1,
    1 - (documents."embedding" <=> %(v2)s::vector) AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
  OFFSET '0'
) AS cosines
ORDER BY score DESC, cosines.id::text COLLATE "C"
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- v2 = '[0.0,1.0]'
-- k = 5

-- lukasiewicz
-- exact
SELECT cosines.id AS id, CASE WHEN c0 + c1 + c2 = 'NaN' THEN 0.5 ELSE greatest(0.0, ((least(1.0, (((1.0 + c0) * 0.5) + ((1.0 + c1) * 0.5))) + (1.0 - ((1.0 + c2) * 0.5))) - 1.0)) END AS score
FROM (
  SELECT documents."id" AS id,
    1 - (documents."embedding" <=> %(v0)s::vector) AS c0,
    1 - (documents."embedding" <=> %(v1)s::vector) AS c1,
    1 - (documents."embedding" <=> %(v2)s::vector) AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
  OFFSET '0'
) AS cosines
ORDER BY score DESC, cosines.id::text COLLATE "C"
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- v2 = '[0.0,1.0]'
-- k = 5

-- hamacher
-- exact
SELECT cosines.id AS id, CASE WHEN c0 + c1 + c2 = 'NaN' THEN 0.0 ELSE (((1.0 / (((1.0 / greatest((1.0 - (((1.0 / (((1.0 / greatest((1.0 - greatest(c0, 0.0)), 1e-40)) + (1.0 / greatest((1.0 - greatest(c1, 0.0)), 1e-40))) - 1.0)) + 1e-20) - 1e-20)), 1e-40)) + (1.0 / greatest((1.0 - greatest(c2, 0.0)), 1e-40))) - 1.0)) + 1e-20) - 1e-20) END AS score
FROM (
  SELECT documents."id" AS id,
    1 - (documents."embedding" <=> %(v0)s::vector) AS c0,
    1 - (documents."embedding" <=> %(v1)s::vector) AS c1,
    1 - (documents."embedding" <=> %(v2)s::vector) AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
  OFFSET '0'
) AS cosines
ORDER BY score DESC, cosines.id::text COLLATE "C"
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- v2 = '[0.0,1.0]'
-- k = 5

-- itlr
-- exact
SELECT cosines.id AS id, CASE WHEN c0 + c1 + c2 = 'NaN' THEN 0.0 ELSE ((c0 + c1) * (1.0 - c2)) END AS score
FROM (
  SELECT documents."id" AS id,
    1 - (documents."embedding" <=> %(v0)s::vector) AS c0,
    1 - (documents."embedding" <=> %(v1)s::vector) AS c1,
    1 - (documents."embedding" <=> %(v2)s::vector) AS c2
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
  OFFSET '0'
) AS cosines
ORDER BY score DESC, cosines.id::text COLLATE "C"
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- v2 = '[0.0,1.0]'
-- k = 5

-- itlr of other operators
-- exact
SELECT cosines.id AS id, CASE WHEN c0 + c1 = 'NaN' THEN 0.0 ELSE (1.0 - ((1.0 - c0) * (1.0 - c1))) END AS score
FROM (
  SELECT documents."id" AS id,
    1 - (documents."embedding" <=> %(v0)s::vector) AS c0,
    1 - (documents."embedding" <=> %(v1)s::vector) AS c1
  FROM "passages" AS documents
  WHERE documents."embedding" IS NOT NULL
  OFFSET '0'
) AS cosines
ORDER BY score DESC, cosines.id::text COLLATE "C"
LIMIT %(k)s
-- v0 = '[1.0,0.0]'
-- v1 = '[0.6000000238418579,0.800000011920929]'
-- k = 5
