"""Six short texts and a question with an exclusion, which a bag of words is encoder enough for."""

TEXTS = {
    "bone": "vitamin D benefits for bone health",
    "mood": "vitamin D benefits for mood",
    "immune": "vitamin D benefits for immunity",
    "calcium": "calcium and bone health",
    "tea": "green tea and brewing water",
    "coffee": "coffee and sleep",
}
QUESTION = "vitamin D benefits other than bone health"
QUERY = '"vitamin D benefits" AND NOT "bone health"'
FORM = {"alternatives": [{"all_of": ["vitamin D benefits"], "none_of": ["bone health"]}]}
"""The query as a model fills it in."""
