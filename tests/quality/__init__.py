"""Scores that our methods reached, as floors."""
