"""The commands `train`, `export` and `downstream`: train a model, write it as files, compare two models."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from deskcheck.cell_files import check_folder
from deskcheck.cli.shell import say
from deskcheck.errors import UserError, install_line


def train(
    preset: Annotated[
        str, typer.Option(help="From scratch: tiny (smaller than the shipped one), tiny-h100, micro, ..")
    ] = "tiny",
    model: Annotated[str, typer.Option(help="Fine-tune this one: a name on the hub, or a folder.")] = "",
    out: Annotated[
        str, typer.Option(help="Folder of the run. [runs/ and the name of the preset or model]")
    ] = "",
    data: Annotated[
        str,
        typer.Option(
            help="A folder of `deskcheck build`, or generated:easy,easy:javascript; with --model also a "
            "mixture.toml."
        ),
    ] = "",
    minutes: Annotated[
        float | None,
        typer.Option(
            help="From scratch: time limit; 12 % is reserved for evaluation, which may take longer.",
            min=0.0,
        ),
    ] = None,
    tokens: Annotated[
        int | None, typer.Option(help="From scratch: length in tokens, the same on any machine.", min=1)
    ] = None,
    layouts: Annotated[str, typer.Option(help="Only these layouts: direct,line-1,sub,compact, ..")] = "",
    seed: Annotated[int, typer.Option(help="Seed of weights and programs.", min=0)] = 0,
    threads: Annotated[
        int | None,
        typer.Option(help="Processor threads. [2; with --model as many as torch takes]", min=1),
    ] = None,
    device: Annotated[str, typer.Option(help="From scratch: cpu, cuda.")] = "cpu",
    workers: Annotated[
        int | None,
        typer.Option(help="Processes that make data. [1; with a GPU all cores but one]", min=0),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
    start_from: Annotated[
        str,
        typer.Option(
            "--from",
            help='Start from these weights (a folder or "tiny"); a smaller model is enlarged to the '
            "preset's size.",
        ),
    ] = "",
    set_option: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="From scratch: row_length=512, held_out=50, evaluations=4, stop_minutes=60; "
            "with --model: lora=16, max_length=4096, epochs=1, held_out=50, sft=FILE, ..",
        ),
    ] = None,
    rl: Annotated[
        str,
        typer.Option(help="With --model: reinforcement learning on fresh programs by this method: grpo."),
    ] = "",
    config: Annotated[
        str,
        typer.Option(help="With --model: YAML with fields of TRL's SFTConfig, sections lora, quantization."),
    ] = "",
    push_to_hub: Annotated[
        str, typer.Option(help="With --model: USER/NAME for the finished model, private; ./DIR = a dry run.")
    ] = "",
    show_batch: Annotated[
        bool, typer.Option("--show-batch", help="Print the first rows, loss marked, and stop.")
    ] = False,
) -> None:
    """Train a model on executions: a small one from scratch, or with --model any causal language model."""
    chosen = [name.strip() for name in layouts.split(",") if name.strip()]
    out = out or f"runs/{Path(model).name or preset}"
    check_folder(out, "--out")
    if not model and (rl or config or push_to_hub):
        given = {"--rl": rl, "--config": config, "--push-to-hub": push_to_hub}
        option = next(name for name, value in given.items() if value)
        raise UserError(f"{option} is for tuning a model that there is; name it: --model NAME")
    if model:
        _check_not_given(
            {"--minutes": minutes, "--tokens": tokens, "--from": start_from, "--device": device != "cpu",
             "--workers": workers is not None, "--preset": preset != "tiny"}
        )  # fmt: skip
        if rl:
            _reinforce(rl, {"model": model, "out": out, "seed": seed, "threads": threads or 0,
                            "resume": resume},
                       set_option or [], {"--data": data, "--layouts": layouts, "--show-batch": show_batch,
                                          "--config": config, "--push-to-hub": push_to_hub})  # fmt: skip
            return
        from deskcheck.training.hub import tuning as hub
        from deskcheck.training.hub.data import hub_options

        tuned = hub_options(
            {
                "model": model,
                "data": data,
                "out": out,
                "layouts": chosen,
                "seed": seed,
                "resume": resume,
                "threads": threads or 0,
                "push_to_hub": push_to_hub,
            },
            set_option or [],
            config,
        )
        if show_batch:
            print(hub.show_batch(tuned))
        else:
            hub.fine_tune(tuned, say=say)
        return
    from deskcheck.training.train import TrainOptions, first_rows, scratch_settings
    from deskcheck.training.train import train as run_train

    options = TrainOptions(
        **scratch_settings(set_option or []),
        preset=preset,
        out=out,
        minutes=minutes or 0.0,
        tokens=tokens or 0,
        layouts=chosen,
        data=data,
        seed=seed,
        threads=threads or 2,
        device=device,
        workers=-1 if workers is None else workers,
        resume=resume,
        start_from=start_from,
    )
    if show_batch:
        print(first_rows(options))
        return
    run_train(options, say=say)


def _reinforce(
    method: str, given: dict[str, object], settings: list[str], not_taken: dict[str, object]
) -> None:
    """Run reinforcement learning on fresh tasks. UserError for an option of datasets or other training."""
    from deskcheck.training.hub.rl import check_method, reinforce, rl_options

    check_method(method)
    if names := [name for name, value in not_taken.items() if value]:
        raise UserError(
            f"{', '.join(names)}: not with --rl, whose tasks are fresh programs; "
            "choose them by --set questions=.., families=.., steps_from=.., steps_to=.."
        )
    reinforce(rl_options(given, settings), say=say)


def export(
    checkpoint: Annotated[str, typer.Argument(help="A checkpoint or a run of `deskcheck train`.")],
    out: Annotated[str, typer.Option(help="Folder to write: model.onnx, tokenizer.json, config.json.")],
) -> None:
    """Write a trained model as the files that `--model tiny -M path=DIR` runs; a run of LoRA is merged."""
    from deskcheck.training.export import check_target
    from deskcheck.training.export import export as run_export
    from deskcheck.training.hub.model import merge, tuned_options

    check_folder(out, "--out")
    tuned = tuned_options(Path(checkpoint))
    if tuned is not None:
        if not tuned.get("lora"):
            raise UserError(
                f"'{checkpoint}' is a tuned model of transformers, complete in {checkpoint}/model; run it by "
                f"--model hub -M path={checkpoint}/model (ONNX is for models trained from scratch)"
            )
        check_target(checkpoint, out)
        check_target(tuned["model"], out)
        apart = merge(checkpoint, out)
        print(f"the merged model is in {out}; its logits are within {apart:.1g} of model and adapter in fp32")
        return
    print(f"the model is in {run_export(checkpoint, out)}")
    if importlib.util.find_spec("torch") is None or importlib.util.find_spec("transformers") is None:
        print(f"not compared with transformers on the same weights: {install_line('train')}")
        return
    from deskcheck.training.scores import parity

    print(parity.line(parity.checked(parity.parity(checkpoint, out))))


def downstream(
    before: Annotated[str, typer.Argument(help="Inspect's name of the model before tuning, or a folder.")],
    after: Annotated[str, typer.Argument(help="The tuned model: name or folder.")],
    tasks: Annotated[
        str, typer.Option(help="Separated by commas; mbpp*1: one answer a sample in place of its five.")
    ] = "humaneval,mbpp,gsm8k",
    log_dir: Annotated[str, typer.Option(help="Folder of Inspect's logs.")] = "downstream-logs",
    limit: Annotated[int | None, typer.Option(help="Samples of each task. [all]", min=1)] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="Maximum number of tokens per answer. [the task's own]", min=1)
    ] = None,
    sandbox: Annotated[
        str, typer.Option(help="Instead of the task's own (docker): deskcheck, or another of Inspect's.")
    ] = "",
) -> None:
    """Run Inspect's own HumanEval, MBPP and GSM8K before and after tuning, paired by sample."""
    from deskcheck.training.downstream import Asked, parse_tasks
    from deskcheck.training.downstream import downstream as ask

    asked, epochs = parse_tasks(tasks)
    ask(
        Asked(
            before=before,
            after=after,
            tasks=asked,
            log_dir=log_dir,
            limit=limit or 0,
            max_tokens=max_tokens or 0,
            epochs=epochs,
            sandbox=sandbox,
        )
    )


def _check_not_given(options: dict[str, object]) -> None:
    """Raise UserError if an option is given that tuning would ignore."""
    given = [name for name, value in options.items() if value]
    if given:
        raise UserError(
            f"{', '.join(given)}: for training from scratch, not with --model; its length is "
            "--set epochs=.. or --set steps=.., its other settings stand in docs/fine-tuning.md"
        )
