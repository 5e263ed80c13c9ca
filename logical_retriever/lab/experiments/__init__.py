"""The papers' tables and figures, as rows.

``ablation`` is ITLR's Table 2, ``scaling`` its Figure 3, ``optimisation`` NSFL's Table 5.
"""
