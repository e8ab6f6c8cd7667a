"""The languages of the sample web: a grammar and a lexicon for each."""
