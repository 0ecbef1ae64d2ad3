"""Ways to write a trace as text: one file each, all made from the same stored trace.

A representation file has
    render(trace, program) -> list[Example]     the training text
    parse(program, examples) -> kept            the text back, as states or as an outcome
    keeps(trace) -> kept                        what the representation claims to keep of a trace
and the law is parse(program, render(trace, program)) == keeps(trace). It may state `WHOLE_RUN` (one answer
tells all), `ANSWER_TOKENS` (room of one answer, 512), `QUESTIONS_A_LINE` (at most, 1), `SKIP` (steps of a
jump), `NOTATION` (the layout in words, for worked examples) and `scored(text)` (the part of an answer that
counts, the last line). States and steps as trees and as text, and the head of a prompt: `deskcheck.states`.

The texts, in one example (line 4 of a function that sums a list; `b` is the same list as `a`):

    @4 | a=#1[1, 2]; b=#1; s=0; x=1; ~1=iter(#1)@1        a state: line, variables, iterators
    @3 | s=1                                              a step: where it goes, and what changed
"""
