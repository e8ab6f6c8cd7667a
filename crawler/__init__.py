"""Winnow's crawler: fetching, the page model, the link graph and its ranking.

What is pure (urls, page, durable, kernels, webgraph, frontier, seeds, ranking) never imports Scrapy;
the middlewares, extensions, the scheduler and the commands are its glue.
"""
