"""The 14 query types of ComLQ as data, one file each, in the paper's order."""
