"""States and steps as trees and as text, for layouts, strategies and scores. All functions are pure.

tree.py     states, steps and values as trees, and their text
parse.py    text back into trees, the inverse of tree.py; the last step as an answer
render.py   the state at an event of a trace as a tree
steps.py    a trace as steps between states, and its sizes; heads and bodies of prompts, examples
jumps.py    several steps at once
values.py   values rebuilt as Python objects, and stand-ins for those that are no plain data
plain.py    a value as its repr, without labels
visits.py   the lines that a run reached, and the values of variables there
loops.py    loops and branches of a source, with their iterations and outcomes in a run
calls.py    a trace in which each call is one step
spelling.py literals with a space before each character, for tokenizers
"""
