"""The languages that the rules know, one file each."""
