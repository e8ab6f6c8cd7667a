"""Scores of cleaning methods against gold text: readers, measures, harness, training."""
