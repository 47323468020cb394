"""Proofs about a fitted model, from the arrays of its trees and its own answers.

    statements    what is claimed: plain data or objects, checked against the model
    cells         each column's values in finitely many cells that no tree can tell apart
    reading       the model: trees, what leaves add, how scores become answers
    walking       the boxes of one tree, or of one tree asked twice
    pieces        boxes of many trees, and bounds on their sum inside a box
    bounding      branch and bound over boxes
    monotone, limits, same_answer, uses    one kind of claim each
    results       proved, refuted with rows, or not proved with the reason

Imported are the schemas of columns and the arrays of a tree, nothing that grows or boosts; the
contract is in pyproject.toml. Invariant: the model is only read and asked.
"""
