"""PageRank host by host."""
