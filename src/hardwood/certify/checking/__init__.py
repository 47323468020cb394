"""The parts of `hardwood.certify.check`: a model's numbers derived a second time.

    ledger         compares, and collects what differs
    class_numbers  labels -> class numbers
    formulas       criteria, advantage, prices and bounds
    draws          columns and held-out rows, from the seed
    training_rows  the table, labels and weights
    structure      whether a tree's arrays fit together and to the columns
    nodes          rows sent down a tree: class weights, thresholds, category sets, routes
    growth         history, leaf order and stop rules of one tree
    certificate    gamma, bound and claims
    pruned         what pruning left: its rows, and where its splits come from
    candidates     every binary split of a node, by brute force
    single_tree    a TreeClassifier: all of the above
    rounds         factors, whole-number weights, leaf values and tree weights of boosting
    booster        the trees of two classes or SAMME, round by round
    held_out       the rows that pruning or early stopping left to grow on
    boosted        a BoostedTreesClassifier: its boosters and its history

Each follows the rules of docs/theory/rules.md, in plain NumPy and Python integers. Invariant: of
the library only the reading of a table (`hardwood.table`), the arrays of a tree
(`hardwood.tree.arrays`) and the errors are imported; an import contract in pyproject.toml says so.
"""
