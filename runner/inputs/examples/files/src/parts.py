def head(text):
    return text.partition("-.")[0]


EXAMPLE = "a-.-.b".rsplit("-.")
YEAR = "2024".zfill(6)
