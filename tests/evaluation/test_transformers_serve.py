"""The same over a server that is not ours: `transformers serve` with a small model made here, on the CPU.

The model is random, so every answer is junk; what counts is that each is junk with a reason, faults or not.
It takes about 20 s of processor time, and runs wherever torch and transformers are; on Pythons on which the
train extra is not installed it is skipped, and says so.
"""

from __future__ import annotations

import importlib.util
import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.evaluation.http_model import FAULTS, Proxy
from tests.evaluation.inspecting import collect_here  # noqa: F401
from tests.evaluation.test_http import HTTP_MARKS, evaluate, impatient, number_in  # noqa: F401

from deskcheck.evaluation.plan import generation
from deskcheck.evaluation.run import Results

pytestmark = HTTP_MARKS

CHAT = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>"
MODULES = ("torch", "transformers", "fastapi", "uvicorn")


def make_model(folder: Path) -> None:
    """A random Llama of 100,000 weights with a byte-level tokenizer."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {text: number for number, text in enumerate(["<s>", "</s>", *letters])}
    tokenizer = Tokenizer(models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>")
    fast.chat_template = CHAT
    fast.save_pretrained(folder)
    config = LlamaConfig(
        vocab_size=len(vocabulary), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=4, max_position_embeddings=4096, bos_token_id=0, eos_token_id=1,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """(address, model name) of a running server."""
    absent = [name for name in MODULES if importlib.util.find_spec(name) is None]
    if absent:
        pytest.skip(
            f"transformers serve needs {', '.join(absent)}: pip install 'transformers[serving]' torch"
        )
    folder = tmp_path_factory.mktemp("model")
    make_model(folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", "from transformers.cli.transformers import main; main()", "serve"]
    command += [str(folder), "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    url = f"http://127.0.0.1:{port}/v1"
    try:
        wait_for(url, server)
        yield url, str(folder)
    finally:
        server.kill()
        server.communicate(timeout=30)


def wait_for(url: str, server: subprocess.Popen[bytes], *, patience_s: float = 300) -> None:
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        if server.poll() is not None:
            pytest.skip(f"transformers serve ended: {server.stderr.read().decode()[-300:]}")  # type: ignore[union-attr]
        try:
            with urllib.request.urlopen(f"{url.removesuffix('/v1')}/health", timeout=5):
                return
        except OSError:
            time.sleep(0.5)
    pytest.fail(f"transformers serve did not listen within {patience_s:.0f} s")


def test_every_answer_of_a_real_server_is_counted_once_under_faults_too(
    served: tuple[str, str],
    evaluate: Callable[..., Results],  # noqa: F811
):
    url, model = served
    seen: Counter[str] = Counter()

    def once(number: int, request: dict[str, Any]) -> str:
        seen[task := number_in(request)] += 1
        return FAULTS[int(task)] if int(task) < 4 and seen[task] == 1 else ""

    with Proxy(url, once) as proxy:
        proxy.hang_s = 2.0
        results = evaluate(
            proxy.url,
            models=[f"openai-api/local/{model}"],
            generation=generation(max_tokens=24),
            timeout_s=120,  # a busy machine; a reply that hangs is ended by the proxy
            max_connections=2,
        )
    (row,) = results.rows
    assert row.right + row.wrong + sum(row.no_answer.values()) == 12
    assert row.no_answer["error"] == 0
    assert row.no_answer["truncated"] + row.no_answer["unparsable"] == 12  # random letters are no answer
    assert sorted(proxy.broken) == sorted(FAULTS[:4])
    assert not any({"tools", "tool_choice"} & set(request) for request in proxy.requests)
    assert all("def f():" in json.dumps(request["messages"]) for request in proxy.requests)


@pytest.mark.parametrize("turned", [{}, {"step_in": "no", "literals": "spelled"}])
@pytest.mark.parametrize("layout", ["line-1", "compact"])
def test_a_server_reads_the_prompts_of_layouts_in_the_tokens_that_tuning_uses(
    served: tuple[str, str], layout: str, turned: dict[str, str]
) -> None:
    """What a tuned model is asked over a server is, token for token, what it was tuned on."""
    pytest.importorskip("trl", reason="needs the extra 'train'")
    from deskcheck.evaluation.plan import load_strategy
    from deskcheck.plugins import load
    from deskcheck.records import Limits, Task
    from deskcheck.strategies import Settings
    from deskcheck.tracing.program import make_program
    from deskcheck.tracing.reference import trace_program
    from deskcheck.training.hub.data import HubOptions, conversation
    from deskcheck.training.hub.model import open_tokenizer
    from deskcheck.training.hub.shards import tokens

    url, model = served
    program = make_program("def f(x, s='ab 1'):\n    return x + 10\n", "f", "305", origin="t")
    trace = trace_program(program, Limits())
    task = Task("t", "b", "output", program, "315", trace, "t")
    prompt = load_strategy(layout).opening(task, Settings(**turned))
    asked = {
        "model": model,
        "messages": [{"role": message.role, "content": message.text} for message in prompt.messages],
        "max_tokens": 2,
        "temperature": 0,
    }
    request = urllib.request.Request(
        f"{url}/chat/completions", json.dumps(asked).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=120) as reply:
        usage = json.load(reply)["usage"]
    example = load("layout", layout).render(trace, program)[0]
    row = conversation(example, HubOptions(model=model, data="d", out="o", **turned))
    _, n_prompt = tokens(row, open_tokenizer(model, "main"))
    assert usage["prompt_tokens"] == n_prompt
