"""A web computed from a seed: every page and every right answer is a function of seed, host, path."""
