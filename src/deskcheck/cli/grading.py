"""The command `grade`: verdicts on saved answers of one or more runs, or on solutions written as code."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deskcheck.cli.shell import Filters, Options, Require, contain, counted_tasks, end
from deskcheck.errors import UserError

SOLUTION = "solution"
"""Value of --task for answers that are code, which the benchmark's tests run."""


def grade(
    benchmark: Annotated[str, typer.Option(help="Benchmark whose tasks were answered.")] = "",
    generations: Annotated[
        list[str] | None,
        typer.Option(
            help="Saved answers: PATH or NAME=PATH, files or folders; repeatable. Without --benchmark: the "
            "guesses that people saved in a page of `view`."
        ),
    ] = None,
    importer: Annotated[str, typer.Option(help="Importer of the answers, if the file does not tell.")] = "",
    marks: Annotated[
        str, typer.Option(help="Marks around the answers, as '[BEGIN],[END]'; the second may be empty.")
    ] = "",
    name_of_field: Annotated[
        list[str] | None,
        typer.Option(
            "--field", help="Field of the answers' rows: id=task_id, completion=response; repeatable."
        ),
    ] = None,
    data: Annotated[str, typer.Option(help="File of the benchmark. [from the hub, or shipped]")] = "",
    task: Annotated[
        str,
        typer.Option(
            help="Question that was asked: output, input, coverage, ..; solution = code for humaneval or "
            "mbpp, run by their tests."
        ),
    ] = "output",
    policy: Annotated[
        str,
        typer.Option(
            help="strict, lenient, lenient:1e-9 or published; default: by the form of the saved answers."
        ),
    ] = "",
    extraction: Annotated[
        str,
        typer.Option(
            help="How generously a reply is read: exact, usual, generous. The policy published ignores it."
        ),
    ] = "usual",
    limit: Annotated[int | None, typer.Option(help="Only the first N tasks. [all]", min=1)] = None,
    filter: Filters = None,
    json_file: Annotated[str, typer.Option("--json", help="Write the whole result here.")] = "",
    out: Annotated[str, typer.Option(help="Write one row for each answer here (.parquet).")] = "",
    option: Options = None,
    require: Require = "limits",
) -> None:
    """Grade saved answers against executed truth, or written solutions by their tests, in the sandbox."""
    from deskcheck.cell_files import check_target
    from deskcheck.result_rows import check_output

    of_replies: dict[str, Any] = {
        "--importer": importer, "--marks": marks, "--field": name_of_field, "--policy": policy,
        "--extraction": extraction != "usual", "--limit": limit, "--filter": filter, "-T": option,
    }  # fmt: skip
    if generations and not benchmark:
        from deskcheck.evaluation.guesses import are_guesses, baseline_lines, read_guesses

        if are_guesses(generations):
            _refuse_unread({**of_replies, "--data": data, "--json": json_file, "--out": out}, "guesses")
            print("\n".join(baseline_lines(read_guesses(generations))))
            return
    if not benchmark:
        raise UserError(
            "deskcheck grade needs --benchmark: what was answered. For example: "
            "deskcheck grade --benchmark cruxeval --generations answers.jsonl"
        )
    if not generations:
        raise UserError("name one file of answers or solutions: --generations FILE")
    check_target(json_file, "--json")
    check_target(out, "--out")
    check_output(out)
    if task == SOLUTION:
        if len(generations) > 1:
            raise UserError(f"--task {SOLUTION} grades one file; {len(generations)} are given")
        if out:
            raise UserError(
                f"--task {SOLUTION} writes its verdicts with --json FILE.json; --out {out} is for answers"
            )
        _refuse_unread(of_replies, f"--task {SOLUTION}")
        _grade_samples(benchmark, generations[0], data, json_file, require)
        return
    from deskcheck.evaluation.grade_runs import Request
    from deskcheck.evaluation.plan import check_name, split_ids
    from deskcheck.grading.extraction import check_level
    from deskcheck.languages import tolerance_of
    from deskcheck.plugins import key_values

    check_name("benchmark", benchmark)
    check_name("question", task)
    tolerance_of(policy or "strict")
    ids, conditions = split_ids(filter or [])
    request = Request(
        benchmark=benchmark,
        places=generations,
        importer=importer,
        marks=_two_marks(marks),
        fields=key_values(name_of_field or [], "--field"),
        data=data,
        kind=task,
        policy=policy,
        level=check_level(extraction),
        ids=ids,
        limit=limit or 0,
        filters=conditions,
        options=key_values(option or [], "-T"),
        out=out,
    )
    contain(require)
    rows, unread = _grade_runs(request, json_file)
    end(rows, again="grade a file that has all answers")
    if unread:
        raise typer.Exit(1)


def _refuse_unread(options: dict[str, Any], form: str) -> None:
    """Raise UserError for given options that this form of the command does not read."""
    if given := [name for name, value in options.items() if value]:
        raise UserError(
            f"deskcheck grade reads no {' and no '.join(given)} for {form}; leave that out, and choose "
            "the rows in the file of --generations"
        )


def _grade_runs(request: Any, json_file: str) -> tuple[list[Any], bool]:
    """Grade, print and write; return the rows, and whether too many replies of a run were unread."""
    from deskcheck.evaluation import grade_report as shown
    from deskcheck.evaluation.grade_runs import grade_runs
    from deskcheck.sandbox import containment

    runs = grade_runs(request, counted_tasks)
    if len(runs) == 1 and runs[0].graded is not None:
        print(shown.as_text(runs[0].graded, runs[0].task_set, sandbox=containment.find().level))
    else:
        print("\n".join(shown.as_lines(runs)))
    for line in shown.dropped_lines(runs):
        print(line)
    if json_file:
        shown.write_json(runs, json_file, data=request.data, answers_file=request.out)
    for path in (json_file, request.out):
        if path:
            print(f"written to {path}")
    return [shown.row_of_run(one)[0] for one in runs if one.graded is not None], shown.any_unread(runs)


def _two_marks(text: str) -> tuple[str, str]:
    """Return the marks of --marks; UserError for an opening mark that is empty."""
    opening, _, closing = text.partition(",")
    if text and not opening.strip():
        raise UserError(f"--marks '{text}' names no opening mark; write it as --marks '<result>,</result>'")
    return opening.strip(), closing.strip()


def _grade_samples(benchmark: str, path: str, data: str, out: str, require: str) -> None:
    from deskcheck.pace import CountLine
    from deskcheck.solutions.samples import (
        as_text,
        grade_samples,
        read_problems,
        read_samples,
        write_results,
    )

    problems = read_problems(benchmark, data)
    found = read_samples(path, problems)
    contain(require)
    line = CountLine("solutions")
    graded = grade_samples(problems, found, after_run=line.count)
    line.end()
    print(as_text(graded, benchmark))
    if out:
        write_results(graded, out, benchmark=benchmark, samples=path, data=data)
        print(f"written to {out}")
    if graded.n_missing:
        raise typer.Exit(1)
