"""The training of the cleaning method ``winnow``: pages, labels, trees, cross-validation."""
