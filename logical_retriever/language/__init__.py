"""The language of a text, and tables of words by language: read by the transformer and by the index of words alike."""
