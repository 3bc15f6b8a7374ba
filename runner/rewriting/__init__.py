"""Rewriting of files and data sets, in processes of their own with limits of time and memory."""
