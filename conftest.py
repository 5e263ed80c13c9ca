"""Names for the cases of parametrized tests."""

import pytest


@pytest.hookimpl
def pytest_make_parametrize_id(val):
    """Name a case after plain arguments: ``[k=0]`` instead of ``[setting0]``; anything else has pytest's own name."""
    return plain(val)[:60] if isinstance(val, (dict, list, tuple)) and plain(val) is not None else None


def plain(value):
    """A value as text; None where it holds what has no short and lasting one."""
    if isinstance(value, dict):
        parts = [plain(list(value.values()))]
        return None if None in parts else ",".join(f"{key}={plain(one)}" for key, one in value.items())
    if isinstance(value, (list, tuple)):
        parts = [plain(one) for one in value]
        return None if None in parts else f"({','.join(parts)})"
    if isinstance(value, type):
        return value.__name__
    return str(value) if value is None or isinstance(value, (str, int, float)) else None
