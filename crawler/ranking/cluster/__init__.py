"""Partitioned PageRank on a Spark cluster."""
