"""The languages of the sample web: a grammar, a lexicon and the phrases of a site for each."""
