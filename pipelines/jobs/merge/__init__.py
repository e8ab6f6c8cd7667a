"""One corpus folder of several that were crawled apart."""
