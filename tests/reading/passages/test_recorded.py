"""A language model's recorded verdicts on the exclusions of a set of questions, through a whole search."""

import pytest
from answers import LABELS, SHOWN, read, recorded
from benchmark_sets import data_folder
from verifying import encoder

from logical_retriever.reading.passages import ChatVerifier
from logical_retriever.testing import ScriptedChatModel

FILE = data_folder() / "ask" / "verdicts.tsv"
pytestmark = pytest.mark.skipif(
    not FILE.is_file(), reason=f"no {FILE}; set LOGICAL_RETRIEVER_DATA to the folder of the benchmark sets"
)


def test_nothing_that_the_model_read_as_excluded_is_shown():
    corpus = read("ask exclusions", "gold", encoder(), limit=25)
    verifiers = recorded({one.id: one.text for one in corpus.bench.dataset.documents})
    lost = gone = 0
    for one in corpus.questions:
        verifier = verifiers[one.question.id]
        plain, result = (corpus.retriever.search(one.read, k=SHOWN, verify=verify) for verify in (False, verifier))
        about = {text for (_, text), verdict in verifier.verdicts.items() if verdict.about > 0.5}
        assert not {document.text for document in result.documents} & about
        assert not {document.id for document in result.documents} & one.question.violations
        assert result.second_opinion.problems == ()
        gone += bool({document.id for document in plain.documents} & one.question.violations)
        lost += len({out.id for out in result.left_out} & one.question.relevant)
    assert gone
    assert lost <= 2


@pytest.mark.parametrize(("label", "said"), [("A", "has, about"), ("M", "open, not about"), ("N", "absent, not about")])
def test_a_recorded_label_is_what_a_chat_model_would_say(label, said):
    verifier = ChatVerifier(ScriptedChatModel([f"1: {said}"]))
    assert verifier.verify(["price"], ["a passage"]) == [LABELS[label]]
