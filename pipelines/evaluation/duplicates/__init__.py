"""How well duplicates are found: methods, peers, judged pairs, studies of the thesis's tables."""
