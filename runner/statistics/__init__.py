"""Accuracy, confidence intervals, paired tests and summaries over the records of runs."""
