"""Training of what is learned, and the published studies of features and classifiers."""
