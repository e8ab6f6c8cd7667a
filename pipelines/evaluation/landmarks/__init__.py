"""Gold texts by rules of their sites: which landmarks in the source of a page the main text stands between."""
