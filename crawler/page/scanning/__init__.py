"""The scan of a page, compiled: from UTF-8 to tokens, and from tokens to blocks, links and head."""
