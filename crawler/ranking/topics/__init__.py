"""Topic PageRank, and what is made of its ranks: memberships, facets, mixtures."""
