"""Studies of topic PageRank: rankings along a category tree, and membership against known labels.

``python -m pipelines.jobs.topic_study tree CORPUS`` and ``... labels FOLDER``; see `tree` and `labels`.
"""
