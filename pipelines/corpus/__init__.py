"""The corpus folder: schemas, shards, the manifest, and the reader of it all."""
