"""Packages of others, rewritten whole, and their own tests run before and after (`make test-packages`)."""
