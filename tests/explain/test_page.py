"""The page of an explanation shows why a document goes, or stays although it names the excluded thing."""

import re

from logical_retriever import LogicalRetriever
from logical_retriever.testing import HashingEmbedder

TEXTS = ["A house with a heated pool", "A house with a large garden, no pool", "A house by the river"]


def test_a_document_that_goes_is_marked_and_one_that_has_none_says_so():
    page = LogicalRetriever.from_texts(TEXTS, HashingEmbedder()).explain('"house" AND NOT "pool"')._repr_html_()
    [goes] = re.findall(r'<span class="goes">(.*?)</span>', page)
    assert f"has it: &#x27;{TEXTS[0]}&#x27;" in goes
    assert f"says it has none: &#x27;{TEXTS[1]}&#x27;" in page
