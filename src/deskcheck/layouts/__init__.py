"""Layouts, text forms of a trace for a model: one file each, all made from the same stored trace.

The file of a layout defines
    render(trace, program) -> list[Example]     write the training text
    parse(program, examples) -> kept            read it back, as states or as an outcome
    keeps(trace) -> kept                        the part of a trace that the layout preserves
For every trace, parse(program, render(trace, program)) == keeps(trace). The file may also define

    EXPERIMENTAL       true while docs/ has no result of a model that learned it
    WHOLE_RUN          true if one answer holds the whole run
    ANSWER_TOKENS      maximum number of tokens of one answer; 512 if not defined
    QUESTIONS_A_LINE   maximum number of questions for one executed line; 1 if not defined
    SKIP               number of steps in one jump of a chain, as text
    NOTATION           the layout in words, for worked examples
    scored(text)       the part of an answer that is scored; its last line if not defined

`deskcheck.states` has states and steps as trees and as text, and the head of a prompt.

A state and a step as text, at line 4 of a function that sums a list (`b` is the same list as `a`):

    @4 | a=#1[1, 2]; b=#1; s=0; x=1; ~1=iter(#1)@1        a state: line, variables, iterators
    @3 | s=1                                              a step: the next line, and the changed variables
"""
