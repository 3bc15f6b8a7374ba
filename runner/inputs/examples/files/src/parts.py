def head(text):
    return text.partition("-.")[0]


EXAMPLE = ["a", "", "b"]
YEAR = "2024".zfill(6)
