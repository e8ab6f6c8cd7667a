"""What is printed and drawn of a run: summaries, tables, comparisons, plots."""
