"""Named experiments of the papers."""
