"""The papers' tables, as rows: ``ablation`` is ITLR's Table 2, ``optimisation`` NSFL's Table 5."""
