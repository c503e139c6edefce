"""The number scanner beside quantulum3: throughput on memos, and time on texts made to be slow.

    python benchmarks/scanning.py

quantulum3 comes from the package index into a venv that goes again. Both read the same memos in
turn, as plain text and (this project only, as quantulum3 knows no markup) as Markdown; processor
time, best of ROUNDS, and the ratio. Hostile texts are read at 250 KB, 500 KB and 1 MB: the time
should double and double.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

from pae_verifiers.numbers import markdown, plain, scanner

ROUNDS = 7
ROOT = Path(__file__).parents[1]
MEMOS = sorted((ROOT / "tests" / "suite" / "honest").glob("*/memo.md"))
PEER = "quantulum3==0.10.0"
PEER_SCRIPT = """
import json, sys, time, warnings
warnings.filterwarnings("ignore")
from quantulum3 import parser
texts = json.load(sys.stdin)
parser.parse("It was 5 percent then.")
times = []
for _ in range(int(sys.argv[1])):
    start = time.process_time()
    found = sum(len(parser.parse(text)) for text in texts)
    times.append(time.process_time() - start)
print(json.dumps([min(times), found]))
"""
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


def best(work: Callable[[], object]) -> float:
    """Processor seconds, the least of ROUNDS."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def peer(texts: Sequence[str], rounds: int) -> tuple[float, int]:
    """(processor seconds, numbers found) of quantulum3 on all texts, without its start."""
    with tempfile.TemporaryDirectory() as scratch:
        venv.create(scratch, with_pip=True)
        python = str(Path(scratch) / "bin" / "python")
        install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", PEER]
        subprocess.run(install, check=True)
        done = subprocess.run(
            [python, "-c", PEER_SCRIPT, str(rounds)],
            input=json.dumps(texts),
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        )
    seconds, found = json.loads(done.stdout)
    return float(seconds), int(found)


def throughput() -> None:
    texts = [memo.read_text(encoding="utf-8") for memo in MEMOS]
    size = sum(map(len, texts)) / 1000
    theirs, found = peer(texts, 2)
    print(f"{len(texts)} memos, {size:.0f} KB")
    print(f"{'quantulum3':12} {theirs * 1000:9.1f} ms {size / theirs:9.0f} KB/s  {found} numbers")
    for name, render in (("plain text", plain.render), ("Markdown", markdown.render)):
        ours = best(lambda render=render: [scanner.scan(render(text)) for text in texts])  # type: ignore[misc]
        found = sum(len(scanner.scan(render(text)).quantities) for text in texts)
        print(
            f"{name:12} {ours * 1000:9.1f} ms {size / ours:9.0f} KB/s  {found} numbers, "
            f"ratio {theirs / ours:.0f}"
        )


def hostile() -> None:
    for name, text in HOSTILE.items():
        times = []
        for size in (250_000, 500_000, 1_000_000):
            start = time.process_time()
            scanner.scan(markdown.render(text(size)))
            times.append(time.process_time() - start)
        print(f"{name:24}" + "".join(f"{seconds:8.2f} s" for seconds in times))


if __name__ == "__main__":
    if "--hostile" not in sys.argv:
        throughput()
    hostile()
