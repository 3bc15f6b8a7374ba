def f(text):
    parts = text.strip().split("n")
    count = len(parts)
    return "-".join(parts[::-1]) + str(count)
