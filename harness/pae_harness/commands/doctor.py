"""``pae doctor``: what works on this machine, how to get the rest, and cleaning up after pae."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from pae_harness.leftovers import Cleaning, clean_up
from pae_harness.sandbox.probe import Finding, findings

_SANDBOX = "sandbox "


def main(args: argparse.Namespace) -> int:
    """Exit code 0 if at least one sandbox works, else 1; with --clean 0."""
    return clean(args.json) if args.clean else doctor(args.json)


def doctor(as_json: bool) -> int:
    """Report every finding; 0 if at least one sandbox works, else 1.

    With ``as_json``: ``{"ok": true, "checks": [{name, ok, detail, remedy}]}``.
    """
    found = findings()
    works = any(finding.ok for finding in found if finding.name.startswith(_SANDBOX))
    if as_json:
        report_data = {"ok": works, "checks": [asdict(finding) for finding in found]}
        json.dump(report_data, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        sys.stdout.writelines(line + "\n" for line in report(found))
    return 0 if works else 1


def report(found: Sequence[Finding]) -> list[str]:
    """One line a finding, and a second with the way to get what is missing."""
    width = max(len(finding.name) for finding in found)
    lines = []
    for finding in found:
        word = "ok" if finding.ok else "missing"
        lines.append(f"{finding.name:{width}}  {word:7}  {finding.detail}")
        if finding.remedy:
            lines.append(f"{'':{width}}           {finding.remedy}")
    return lines


def clean(as_json: bool) -> int:
    """Remove what pae left on this machine, and say what; always 0.

    With ``as_json``: ``{"removed": [{kind, name}], "kept": [{name, why}], "problem": ""}``.
    """
    done = clean_up()
    if as_json:
        json.dump(asdict(done), sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        sys.stdout.writelines(line + "\n" for line in cleaning_report(done))
    return 0


def cleaning_report(done: Cleaning) -> list[str]:
    """One line for each thing that went, and for each that stays and why."""
    lines = [f"removed {one.kind} {one.name}" for one in done.removed]
    lines += [f"kept {one.name}: {one.why}" for one in done.kept]
    if done.problem:
        lines.append(f"containers and images were not looked at: {done.problem}")
    return lines or ["there was nothing to remove"]
