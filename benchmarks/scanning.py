"""The number scanner beside quantulum3: throughput on memos, and time on texts made to be slow.

    python benchmarks/scanning.py

quantulum3 comes from the package index into a venv that goes again. Both read the same memos, as
plain text and (this project only, as quantulum3 knows no markup) as Markdown, a round each in turn,
so that what else the machine does slows both alike: processor time, the best of all rounds, and the
ratio. Hostile texts are read at 250 KB, 500 KB and 1 MB: the time should double and double.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from pae_verifiers.numbers import markdown, plain, scanner
from pae_verifiers.numbers.model import Document

ROUNDS = 4  # of quantulum3, which takes seconds for one
OURS = 7  # in each of them
ROOT = Path(__file__).parents[1]
MEMOS = sorted((ROOT / "tests" / "suite" / "honest").glob("*/memo.md"))
PEER = "quantulum3==0.10.0"
PEER_SCRIPT = """
import json, sys, time, warnings
warnings.filterwarnings("ignore")
from quantulum3 import parser
texts = json.loads(sys.stdin.readline())
parser.parse("It was 5 percent then.")
while True:
    start = time.process_time()
    found = sum(len(parser.parse(text)) for text in texts)
    print(json.dumps([time.process_time() - start, found]), flush=True)
    sys.stdin.readline()
"""
RENDERS = {"plain text": plain.render, "Markdown": markdown.render}
HOSTILE: dict[str, Callable[[int], str]] = {
    "digits": lambda size: "1" * size,
    "(": lambda size: "(" * size,
    "9**9**9%": lambda size: "9**9**9%" * (size // 8),
    "9**9**9% apart": lambda size: "9**9**9% " * (size // 9),
    "zero-width characters": lambda size: "\u200b" * size,
    "nested brackets": lambda size: "[(" * (size // 4) + ")]" * (size // 4),
    "words and numbers": lambda size: "It fell 5% to $3m; " * (size // 19),
    "numbers in words": lambda size: "one-half of twenty " * (size // 19),
    "Chinese": lambda size: "下跌百分之三點五，至3億5,000萬元。" * (size // 20),
}


def seconds(work: Callable[[], object]) -> float:
    """Processor seconds of one run."""
    start = time.process_time()
    work()
    return time.process_time() - start


def peer(texts: Sequence[str]) -> Iterator[tuple[float, int]]:
    """Each turn: (processor seconds, numbers found) of quantulum3, once started, on all texts."""
    with tempfile.TemporaryDirectory() as scratch:
        venv.create(scratch, with_pip=True)
        python = str(Path(scratch) / "bin" / "python")
        install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", PEER]
        subprocess.run(install, check=True)
        command = [python, "-c", PEER_SCRIPT]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as child:
            assert child.stdin is not None
            assert child.stdout is not None
            child.stdin.write(json.dumps(texts) + "\n")
            for _ in range(ROUNDS):
                child.stdin.flush()
                taken, found = json.loads(child.stdout.readline())
                yield float(taken), int(found)
                child.stdin.write("\n")
            child.kill()


def throughput() -> None:
    texts = [memo.read_text(encoding="utf-8") for memo in MEMOS]
    size = sum(map(len, texts)) / 1000
    works = {name: partial(_scan_all, render, texts) for name, render in RENDERS.items()}
    best = dict.fromkeys(("quantulum3", *works), float("inf"))
    found = {name: work() for name, work in works.items()}
    for taken, numbers in peer(texts):
        best["quantulum3"], found["quantulum3"] = min(best["quantulum3"], taken), numbers
        for name, work in works.items():
            best[name] = min(best[name], *(seconds(work) for _ in range(OURS)))
    print(f"{len(texts)} memos, {size:.0f} KB")
    for name, taken in best.items():
        print(
            f"{name:12} {taken * 1000:9.1f} ms {size / taken:9.0f} KB/s  {found[name]} numbers, "
            f"ratio {best['quantulum3'] / taken:.0f}"
        )


def _scan_all(render: Callable[[str], Document], texts: Sequence[str]) -> int:
    return sum(len(scanner.scan(render(text)).quantities) for text in texts)


def hostile() -> None:
    for name, text in HOSTILE.items():
        times = []
        for size in (250_000, 500_000, 1_000_000):
            times.append(seconds(partial(_scan_all, markdown.render, [text(size)])))
        print(f"{name:24}" + "".join(f"{taken:8.2f} s" for taken in times))


if __name__ == "__main__":
    if "--hostile" not in sys.argv:
        throughput()
    hostile()
