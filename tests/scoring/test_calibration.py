"""Null distributions in closed form, against simulation and scikit-learn's shrinkage."""

import numpy as np
import pytest
from sklearn.covariance import ledoit_wolf

from logical_retriever.scoring import NullModel

RNG = np.random.default_rng(5)


def directions(n, d, scale=1.0):
    rows = RNG.normal(size=(n, d)) * np.linspace(0.2, scale, d) + np.eye(d)[0]
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize(("samples", "dimension"), [(3, 16), (40, 16), (400, 8)])
def test_shrinkage_is_ledoit_and_wolfs_but_for_what_all_have_in_common(samples, dimension):
    rows = directions(samples, dimension)
    covariance, shrinkage = ledoit_wolf(rows)
    common = rows.mean(axis=0) / np.linalg.norm(rows.mean(axis=0))
    target = shrinkage * np.trace(np.cov(rows.T, bias=True)) / dimension * np.outer(common, common)
    np.testing.assert_allclose(NullModel.fit(rows).covariance, covariance - target, atol=1e-12)


def test_evidence_over_the_corpus_has_mean_0_and_deviation_1():
    documents, terms = directions(5000, 12), directions(6, 12, scale=2.0)
    cosines = terms @ documents.T
    z = NullModel.fit(documents).of(terms).standardise(cosines)
    np.testing.assert_allclose(z.mean(axis=1), 0, atol=1e-9)
    np.testing.assert_allclose(z.std(axis=1), 1, atol=0.02)


def test_a_small_sample_predicts_a_large_corpus():
    documents, terms = directions(20_000, 32), directions(6, 32)
    z = NullModel.fit(documents[:500]).of(terms).standardise(terms @ documents.T)
    np.testing.assert_allclose(z.mean(axis=1), 0, atol=0.15)
    np.testing.assert_allclose(z.std(axis=1), 1, atol=0.15)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_stores_of_a_few_documents_have_finite_evidence_in_the_order_of_the_cosines(n):
    documents, terms = directions(n, 24), directions(4, 24)
    cosines = terms @ documents.T
    z = NullModel.fit(documents).of(terms).standardise(cosines)
    assert np.isfinite(z).all()
    np.testing.assert_array_equal(np.argsort(z, axis=1), np.argsort(cosines, axis=1))


def test_copies_of_one_document_and_unusable_vectors_stay_finite():
    for documents in (np.tile(directions(1, 8), (5, 1)), np.zeros((4, 8))):
        nulls = NullModel.fit(documents).of(directions(3, 8))
        assert np.isfinite(nulls.means).all()
        assert (nulls.deviations > 0).all()


def test_rows_of_zeros_do_not_count():
    rows = directions(50, 8)
    np.testing.assert_allclose(
        NullModel.fit(np.vstack([rows, np.zeros((20, 8))])).covariance, NullModel.fit(rows).covariance
    )


def test_weights_count_rows_as_often():
    rows = directions(30, 8)
    twice = NullModel.fit(np.vstack([rows, rows[:10]]))
    weighted = NullModel.fit(rows, np.where(np.arange(30) < 10, 2.0, 1.0))
    np.testing.assert_allclose(weighted.mean, twice.mean)
    # Rows that count twice are fewer than as many rows: more is shrunk, and away from what all have in common.
    np.testing.assert_allclose(np.trace(weighted.covariance), np.trace(twice.covariance), rtol=0.05)
