"""The paper's Table 1 and Figures 1, 2 and 5 for runs, with the published values: `spellout report RUN --figures DIR`.

accuracies       Table 1, Figure 1 (permutations by steps) and Figure 5 (string functions alone)
output_types     Figure 2: the types of wrong answers, and the first divergences of failures
type_drawings    draws Figure 2
folder           writes all of them as SVG, PDF and CSV
"""
