"""PageRank over the host graph: Jacobi, Gauss-Seidel and partitioned (see `methods`)."""
