"""The verifier's runtime: what a box finds beside the packages' modules."""

from __future__ import annotations

from pae_harness.runtime import verifier_runtime
from pae_verifiers.rubric.load import shipped_names


def test_it_holds_the_rubrics_and_the_schemas() -> None:
    runtime = verifier_runtime()
    rubrics = {path.stem for path in (runtime / "pae_verifiers" / "rubrics").glob("*.yaml")}
    assert rubrics == set(shipped_names())
    assert (runtime / "pae_schemas" / "rubric_likert.schema.json").is_file()
