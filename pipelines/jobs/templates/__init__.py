"""Templates of a corpus' pages: groups of pages made from one template."""
