print("a-.-.b".rsplit("-."))
