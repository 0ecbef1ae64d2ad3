"""The shared language of states: what layouts write, strategies read and scores compare. Pure functions.

tree.py     states, steps and values as trees, and their text
parse.py    text back into trees: the inverse of tree.py; the last step as an answer
render.py   the state at an event of a trace as a tree
steps.py    a trace as steps between states; heads and bodies of prompts, examples
jumps.py    several steps at once
plain.py    a value as its repr, without labels
visits.py   the lines that a run reached, and what variables held there
bytecode.py the instructions of a program as text
"""
