"""The local web page over a corpus: search, facets, pages block by block, hosts, rejections, the report."""
