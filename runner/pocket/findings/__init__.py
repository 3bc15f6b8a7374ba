"""Trains the models of the tokenization experiment: two vocabularies, the same programs, the same model.

    configuration    the experiment's settings, read from a TOML file
    vocabularies     the two arms: BPE tokens inside strings, or one token per character
    programs         the training data and the unseen programs, the same for both arms
    training         one model for each arm and seed; resumable

`python -m runner.pocket.findings` trains them. `lab.tokenization` asks them and compares the arms.
"""
