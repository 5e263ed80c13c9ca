"""The engine of the rules: it knows no word of any language; those are in ``transform/languages``."""
