import pytest
from agreement import content, judge, judge_best


@pytest.mark.parametrize(
    ("gold", "predicted", "right"),
    [
        ('"hot drinks" AND NOT "milk"', '"a hot drink" AND NOT "milk"', True),
        ('"tea" AND NOT "milk"', '"tea"', False),
        ('"tea"', '"tea" AND NOT "milk"', False),
        ('"tea"', '"which tea"', True),
        ('"tea" AND NOT "milk"', '"milk" AND NOT "tea"', False),
        ('"tea" AND NOT "milk" AND NOT "sugar"', '"tea" AND NOT "milk"', False),
        ('"green tea from Japan" AND NOT "milk"', '"tea" AND NOT "milk"', False),
    ],
)
def test_a_query_is_right_with_the_same_wish_and_the_same_exclusions(gold, predicted, right):
    assert judge(gold, predicted).right is right


def test_of_several_gold_forms_the_nearest_counts():
    forms = ['"tea" AND NOT "milk"', '"tea" AND NOT "cow milk"']
    assert judge_best(forms, "tea but no cow milk", '"tea" AND NOT "cow milk"').right
    assert not judge_best(forms, "tea but no cow milk", None).predicted_not


def test_content_is_stems_and_characters():
    assert content("the batteries of the boxes") == content("battery box")
    assert content("微服务") == set("微服务")
