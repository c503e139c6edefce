"""What the harness costs over the bare docker client, in one ratio of one run.

    python benchmarks/containers.py

Eight oracle trials of the rebalancing memo, two at a time, two boxes each. The floor does the same
work by hand, with the same images, limits, mounts and commands: per box one `docker run`, the
fixtures in and the outputs out by tar through `docker exec`, the command by `docker exec`, and one
`docker rm`. Both are run in turn, ROUNDS times; medians. The bound is 1.5.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from pae_harness.fixtures import fixtures
from pae_harness.sandbox.docker.backend import DockerSandbox
from pae_harness.sandbox.docker.engine import connect
from pae_harness.sandbox.docker.images import Images
from pae_harness.sandbox.protocol import Build
from pae_harness.tasks import Task, load

ROUNDS = 5
SEEDS = range(1, 9)
ROOT = Path(__file__).parents[1]
HARD = (
    *("--network", "none", "--read-only", "--cap-drop", "ALL", "--user", "1000:1000"),
    *("--security-opt", "no-new-privileges", "--log-driver", "none", "--init"),
    *("--memory", "2g", "--memory-swap", "2g", "--pids-limit", "256"),
)


def docker(*words: str, given: bytes | None = None) -> bytes:
    done = subprocess.run(["docker", *words], input=given, capture_output=True, check=True)
    return done.stdout


def box(image: str, writable: list[str], mounts: dict[Path, str], cpus: str) -> str:
    """A started container that waits."""
    places = [w for path in writable for w in ("--tmpfs", f"{path}:size=256m,uid=1000,gid=1000")]
    binds = [w for source, target in mounts.items() for w in ("-v", f"{source}:{target}:ro")]
    run = ("run", "-d", "--cpus", cpus, *HARD, *places, *binds, "--entrypoint", "sleep")
    return docker(*run, image, "infinity").decode().strip()


def by_hand(task: Task, seed: int, tree: Path, agent: str, verifier: str) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        writable = ["/app", "/tmp", "/logs/agent", "/home/agent"]
        one = box(agent, writable, {task.oracle: "/solution"}, "2")
        packed = subprocess.run(["tar", "-C", tree / "app", "-c", "."], capture_output=True)
        docker(
            "exec", "-i", one, "tar", "-C", "/app", "--no-same-owner", "-mx", given=packed.stdout
        )
        docker("exec", "-w", "/app", one, "bash", "/solution/solve.sh")
        memo = docker("exec", one, "tar", "-C", "/app/output", "-c", "memo.md")
        subprocess.run(["tar", "-C", scratch, "-x"], input=memo, check=True)
        docker("rm", "-f", one)
        mounts = {
            tree: "/fixtures",
            task.path / "tests": "/tests",
            Path(scratch, "memo.md"): "/app/output/memo.md",
        }
        two = box(verifier, ["/logs/verifier", "/tmp"], mounts, "1")
        docker("exec", "-e", "PAE_JUDGE=rules", two, "sh", "/tests/test.sh")
        files = docker("exec", two, "tar", "-C", "/logs/verifier", "-c", ".")
        subprocess.run(["tar", "-C", scratch, "-x"], input=files, check=True)
        docker("rm", "-f", two)
        assert b'"reward": 1.0' in Path(scratch, "reward.json").read_bytes()


def by_harness() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        pae = str(Path(sys.executable).with_name("pae"))
        words = ["run", "pf-judg-rebalance-memo", "-a", "oracle", "-s", "1-8", "-j", "2"]
        words += ["--sandbox", "docker", "-o", f"{scratch}/run", "-q", "--min-reward", "1"]
        subprocess.run([pae, *words], check=True, stdout=subprocess.DEVNULL, cwd=ROOT)


def seconds(work: Callable[[], None]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began


def main() -> None:
    task = load(ROOT / "tasks" / "pf-judg-rebalance-memo")
    engine = connect()
    images, sandbox = Images(engine), DockerSandbox(engine)
    environment = task.path / "environment"
    timeout = task.environment.build_timeout_sec
    agent = images.get(Build(environment, network=False, timeout=timeout)).id
    verifier = images.get("verifier").id
    trees = {seed: fixtures(environment, seed, sandbox) for seed in SEEDS}

    def floor() -> None:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda s: by_hand(task, s, trees[s], agent, verifier), SEEDS))

    by_harness()
    floor()
    pairs = [(seconds(by_harness), seconds(floor)) for _ in range(ROUNDS)]
    harness, bare = (median(column) for column in zip(*pairs, strict=True))
    print(f"8 oracle trials at -j 2, {engine.name} {engine.version}")
    print(f"  pae run             {harness:6.2f} s")
    print(f"  bare docker client  {bare:6.2f} s")
    print(f"  ratio               {harness / bare:6.2f}   (at most 1.5)")


if __name__ == "__main__":
    main()
