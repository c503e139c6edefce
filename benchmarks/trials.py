"""What the harness's own bookkeeping costs: trials a second, memory, and whether either grows.

    python benchmarks/trials.py [TRIALS]

A run of TRIALS (1000) local trials on two threads, whose agent writes an empty note and whose
verifier a fixed reward, so that what is timed is fixtures, boxes, copying and the run folder. Then
single trials of the oracle of the rebalancing memo, with its real verifier.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from pae_harness import run_trial
from pae_harness.commands.run import OPTIONS
from pae_harness.result import TrialResult
from pae_harness.runs.plan import PlannedTrial, plan
from pae_harness.runs.progress import Progress
from pae_harness.runs.session import Session, judging_for, open_for, run_session
from pae_harness.sandbox import open_sandbox
from pae_harness.settings import resolve
from pae_harness.solutions import parse
from pae_harness.tasks import load

ROOT = Path(__file__).parents[1]
TINY = ROOT / "tests" / "harness" / "data" / "tiny"
SEEDS = 10  # the fixtures of a seed are made once; this is about the trials
ENDS = 100
ORACLES = 9
AGENT = "cmd:: > /app/output/note.md"
TEST = """\
cd /logs/verifier
echo '{"reward": 1, "numeric_consistency": 1, "judge_rubric": 1}' > reward.json
echo '{"not_measured": []}' > details.json
"""


class Clock(Progress):
    """When each trial ended, and how much processor time of ``pae`` had gone by then."""

    def __init__(self, trials: list[PlannedTrial]) -> None:
        super().__init__(trials, "rules", quiet=True)
        self.wall, self.own = [time.monotonic()], [time.process_time()]

    def ended(self, trial: PlannedTrial, result: TrialResult) -> None:
        super().ended(trial, result)
        self.wall.append(time.monotonic())
        self.own.append(time.process_time())


def session(suite: Path, out: Path, trials: int) -> Session:
    task = load(suite / "tasks" / "tiny-note")
    (suite / "tasks" / "tiny-note" / "tests" / "test.sh").write_text(TEST)
    values = argparse.Namespace(jobs="2", sandbox="local", out=str(out), agent=AGENT)
    settings = resolve(OPTIONS, values, environ={})
    solution = parse(AGENT)
    planned = plan(
        [task], tuple(range(1, SEEDS + 1)), lambda task: [solution], attempts=trials // SEEDS
    )
    return Session([task], planned, settings, judging_for([task], settings))


def a_long_run(trials: int) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        suite = shutil.copytree(TINY, Path(scratch) / "suite")
        asked = session(suite, Path(scratch) / "run", trials)
        clock = Clock(list(asked.trials))
        finished = run_session(
            asked, open_for(asked), "bench", clock, failed=lambda trial, result: False
        )
    outcomes = {result.outcome for _, result in finished.results}
    assert outcomes == {"scored"}, outcomes
    took = clock.wall[-1] - clock.wall[0]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{trials} trials of nothing, 2 threads: {trials / took:.1f} a second")
    print(f"memory of pae: {peak:.0f} MB at most")
    ends = min(ENDS, trials // 2)
    for what, times in (("wall", clock.wall), ("pae's processor", clock.own)):
        first = (times[ends] - times[0]) / ends
        last = (times[-1] - times[-1 - ends]) / ends
        ratio = last / first
        print(
            f"{what} time a trial: first {ends} {first * 1000:.1f} ms, "
            f"last {ends} {last * 1000:.1f} ms, ratio {ratio:.2f}"
        )


def an_oracle() -> None:
    task, sandbox = load(ROOT / "tasks" / "pf-judg-rebalance-memo"), open_sandbox("local")
    times = []
    for _ in range(ORACLES + 1):
        start = time.monotonic()
        result = run_trial(task, 1, "oracle", sandbox=sandbox)
        times.append(time.monotonic() - start)
        assert result.reward == 1.0, result.reason
    told = f"median {median(times[1:]):.3f} s, least {min(times[1:]):.3f} s"
    print(f"a whole oracle trial of {task.name}: {told}")


def main() -> None:
    a_long_run(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    an_oracle()


if __name__ == "__main__":
    main()
