"""``pae doctor``: what works on this machine, and how to get the rest."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from pae_harness.sandbox.probe import Finding, findings

_SANDBOX = "sandbox "


def main(args: argparse.Namespace) -> int:
    """Exit code 0 if at least one sandbox works, else 1."""
    return doctor(args.json)


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
