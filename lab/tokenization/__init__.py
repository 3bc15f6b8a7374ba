"""Does tokenization cause the failures on strings? The models of `runner.pocket.findings`, asked and compared.

    evaluation       the models are asked about programs that none of them has seen
    arm_differences  differences between the arms, with intervals over programs and seeds
    report           the page, its plot and the numbers as JSON

`python -m lab.tokenization` does it.
"""
