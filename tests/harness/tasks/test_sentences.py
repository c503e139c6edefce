"""Every way to break a task folder, and the sentence with file and line that it gets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

TASK = "tasks/sample-note"
ORACLE = "oracles/sample-note"

MANIFEST = [
    (
        'schema_version = "1.4"',
        'schema_version = "1.3"',
        "1: schema_version '1.3' is not supported: write '1.4', the version that is read here",
    ),
    (
        'schema_version = "1.4"\n',
        "",
        "1: the key 'schema_version' is missing at the top level",
    ),
    (
        "timeout_sec = 60.0",
        "timeout_secs = 60.0",
        "26: unknown key 'timeout_secs' in [agent]; did you mean 'timeout_sec'?",
    ),
    ("timeout_sec = 60.0\n", "", "25: the key 'timeout_sec' is missing in [agent]"),
    ("[agent]", "[agnet]", "25: unknown key 'agnet' at the top level; did you mean 'agent'?"),
    (
        '"/app/data/policy.yaml" }',
        '"/app/data/policy.yaml", size = 3 }',
        "17: unknown key 'size' in metadata.inputs[1]; known: description, path",
    ),
    (
        'description = "The note."',
        'descripton = "The note."',
        "23: unknown key 'descripton' in metadata.outputs[0]; did you mean 'description'?",
    ),
    (
        "timeout_sec = 60.0",
        'timeout_sec = "long"',
        "26: agent.timeout_sec must be a number, not 'long'",
    ),
    ("timeout_sec = 60.0", "timeout_sec = 0", "26: agent.timeout_sec must be above 0, not 0"),
    (
        "timeout_sec = 60.0",
        "timeout_sec = nan",
        "26: agent.timeout_sec must be a finite number, not nan",
    ),
    (
        "timeout_sec = 60.0",
        "timeout_sec = inf",
        "26: agent.timeout_sec must be a finite number, not inf",
    ),
    ("tier = 1", "tier = true", "11: metadata.tier must be an integer, not true"),
    ("tier = 1", "tier = 4", "11: metadata.tier must be at most 3, not 4"),
    ("memory_mb = 512", "memory_mb = 8", "38: environment.memory_mb must be at least 64, not 8"),
    (
        'status = "draft"',
        'status = "redy"',
        "13: metadata.status must be 'draft' or 'ready', not 'redy'; did you mean 'ready'?",
    ),
    (
        'status = "draft"',
        'status = "ready"',
        "13: status is 'ready', but the oracle has no receipt.json: validate the task first",
    ),
    (
        'environment_mode = "separate"',
        'environment_mode = "shared"',
        "30: verifier.environment_mode must be 'separate', not 'shared'",
    ),
    (
        'network_mode = "no-network"',
        'network_mode = "public"',
        "36: environment.network_mode must be 'none' or 'no-network', not 'public'",
    ),
    (
        'network_mode = "no-network"',
        "mcp_servers = []",
        "36: the key 'mcp_servers' in [environment] is not accepted: "
        "the boxes are offline and run no servers",
    ),
    (
        '"${JUDGE_API_KEY:-}"',
        '"sk-123"',
        "33: verifier.env.JUDGE_API_KEY must be a template such as '${JUDGE_API_KEY:-}', "
        "never the secret itself, not 'sk-123'",
    ),
    (
        'version = "1.0.0"',
        'version = "one"',
        "5: task.version must be a version such as '1.0.0', not 'one'",
    ),
    (
        "samples/sample-note",
        "sample-note",
        "4: task.name must be 'org/name', of letters, digits, dots, underscores and hyphens, "
        "not 'sample-note'",
    ),
    (
        "samples/sample-note",
        "samples/other",
        "4: the task is called 'other' but its folder 'sample-note'",
    ),
    ('"sample", "note"', '"note", "note"', "7: task.keywords holds 'note' twice"),
    (
        '"invented_number", ',
        '"Invented", ',
        "14: metadata.traps[0] must be lower-case words joined by underscores, not 'Invented'",
    ),
    (
        '"/app/data/policy.yaml"',
        '"/app/../etc/policy.yaml"',
        "17: metadata.inputs[1].path must be an absolute path such as '/app/output/memo.md', "
        "without '.', '..' or a trailing slash, not '/app/../etc/policy.yaml'",
    ),
    (
        "[metadata]",
        "[[metadata]]",
        "9: metadata must be a table, not a list",
    ),
    (
        "\n[[metadata.outputs]]\n",
        "outputs = []\n[verifier.x]\n",
        "19: metadata.outputs must not be empty",
    ),
    (
        'schema_version = "1.4"\n',
        'schema_version = "1.4"\nartifacts = ["/app"]\n',
        "2: artifacts must be the paths of metadata.outputs",
    ),
    (
        "cpus = 0.5",
        "cpus = 0.5.1",
        "37: not valid TOML: expected newline or end of document after a statement",
    ),
]

VERIFIER = [
    (
        "document:",
        "documnet:",
        "1: unknown key 'documnet' at the top level; did you mean 'document'?",
    ),
    ("weight: 0.7", "weight: 0.6", "7: the metrics' weights sum to 0.9, not to 1"),
    ("weight: 0.7", "weight: 0", "8: metrics.numeric_consistency.weight must be above 0, not 0"),
    (
        "check: numbers",
        "check: number",
        "8: metrics.numeric_consistency.check must be 'numbers' or 'rubric', not 'number'; "
        "did you mean 'numbers'?",
    ),
    (
        "combine: geometric",
        "combine: weighted_sum",
        "6: combine: weighted_sum is only for tasks without a rubric; "
        "write 'geometric' or 'product'",
    ),
    (
        "combine: geometric",
        "combine: geometrc",
        "6: combine must be 'geometric', 'product' or 'weighted_sum', not 'geometrc'; "
        "did you mean 'geometric'?",
    ),
    (
        "results: /app/data/results.json\n",
        "",
        "6: a metric with 'check: numbers' needs the key 'results'",
    ),
    ("rubric: rubric.yaml\n", "", "6: a metric with 'check: rubric' needs the key 'rubric'"),
    (
        "/app/data/results.json",
        "/app/data/result.json",
        "2: /app/data/result.json is not among the task's inputs; "
        "did you mean '/app/data/results.json'?",
    ),
    (
        "/app/data/policy.yaml",
        "/app/data/polcy.yaml",
        "3: /app/data/polcy.yaml is not among the task's inputs; "
        "did you mean '/app/data/policy.yaml'?",
    ),
    (
        "/app/output/note.md",
        "/app/output/memo.md",
        "1: /app/output/memo.md is not among the task's outputs; "
        "did you mean '/app/output/note.md'?",
    ),
    (
        "facts: facts.yaml",
        "facts: ../facts.yaml",
        "4: facts must be the name of a YAML file in the same folder, not '../facts.yaml'",
    ),
    (
        "judge_rubric:",
        "reward:",
        "9: the key 'reward' in metrics must be lower-case words joined by underscores, "
        "and not 'reward'",
    ),
    (
        "combine: geometric",
        "results: /app/data/results.json",
        "6: the key 'results' occurs twice",
    ),
]

RUBRIC = [
    (
        "weight: 0.7",
        "weight: 0.6999999",
        "4: the weights of the required items sum to 0.9999999, not to 1",
    ),
    ("    weight: 0.7\n", "", "18: the key 'weight' is missing in items[2]"),
    (
        "kind: items",
        "kind: itens",
        "1: kind must be 'items', 'checklist', 'likert' or 'points', not 'itens'; "
        "did you mean 'items'?",
    ),
    (
        "penalty: 0.5",
        "weight: 0.5",
        "24: the key 'weight' in items[3] is not accepted: only a required item has a weight",
    ),
    (
        "weight: 0.7\n",
        "weight: 0.7\n    penalty: 0.1\n",
        "21: the key 'penalty' in items[2] is not accepted: only a disallowed item has a penalty",
    ),
    (
        "weight: 0.7\n",
        "weight: 0.7\n    check: sections\n",
        "21: the key 'check' in items[2] is not accepted: only an item with 'by: code' has a check",
    ),
    (
        "role: required\n    weight: 0.7",
        "role: requird\n    weight: 0.7",
        "19: items[2].role must be 'required', 'optional' or 'disallowed', not 'requird'; "
        "did you mean 'required'?",
    ),
    (
        "id: explains_why",
        "id: explains-why",
        "18: items[2].id must be a lower-case Python identifier, not 'explains-why'",
    ),
    (
        "id: sections_present",
        "id: word_limit",
        "12: the id 'word_limit' stands twice, first on line 5",
    ),
    (
        "check: max_words",
        "check: max_word",
        "9: items[0].check must be 'max_words', 'sections' or 'files', not 'max_word'; "
        "did you mean 'max_words'?",
    ),
    (
        "    check: max_words\n    params: {max: 200}\n",
        "",
        "5: the key 'check' is missing in items[0]",
    ),
    (
        "{max: 200}",
        "{maximum: 200}",
        "10: unknown key 'maximum' in items[0].params; did you mean 'max'?",
    ),
    ("{max: 200}", "{max: lots}", "10: items[0].params.max must be an integer, not 'lots'"),
    (
        "sections:\n  - heading: What changed\n",
        "",
        "14: the check 'sections' needs the key 'sections' at the top level",
    ),
    (
        "check: max_words\n    params: {max: 200}",
        "check: files\n    params: {paths: [/app/output/nota.md]}",
        "10: /app/output/nota.md is not among the task's outputs; "
        "did you mean '/app/output/note.md'?",
    ),
    (
        "    penalty: 0.5\n",
        "    penalty: 0.5\n    penalty: 0.6\n",
        "25: the key 'penalty' occurs twice",
    ),
    (
        "id: explains_why",
        "id: Why",
        "18: items[2].id must be a lower-case Python identifier, not 'Why'",
    ),
]

FACTS = [
    (
        "/trades#:",
        "trades#:",
        "12: the key 'trades#' in facts must be a JSON pointer such as '/costs/total', "
        "'/sleeves/*/weight' or '/trades#'",
    ),
    (
        "/trades#:",
        "/trades/~2:",
        "12: the key '/trades/~2' in facts must be a JSON pointer such as '/costs/total', "
        "'/sleeves/*/weight' or '/trades#'",
    ),
    ("{1}", "{2}", "11: {2} in '{2}' names no '*': /sleeves/*/weight has 1"),
    (
        "unit: USD",
        "unit: dollars",
        "5: facts['/costs/total'].unit must be percent, bps, pp, multiple, ratio, share, count, "
        "day, week, month, year or a currency code, not 'dollars'",
    ),
    (
        "sign: magnitude",
        "sing: magnitude",
        "8: unknown key 'sing' in facts['/costs/total']; did you mean 'sign'?",
    ),
    (
        "[[trading cost, cost], [total]]",
        "[trading cost]",
        "6: facts['/costs/total'].aliases[0] must be a list, not 'trading cost'",
    ),
]

TRAPS = [
    (
        'metric = "judge_rubric"',
        'metric = "judge_rubrik"',
        "9: the metric 'judge_rubrik' is not in verifier.yaml; did you mean 'judge_rubric'?",
    ),
    (
        'metric = "judge_rubric"',
        'metric = "numeric_consistency"',
        "11: expects a rubric item, but 'numeric_consistency' is checked by numbers",
    ),
    (
        'metric = "numeric_consistency"',
        'metric = "judge_rubric"',
        "5: expects a number's verdict, but 'judge_rubric' is checked by rubric",
    ),
    (
        "min_loss = 0.05",
        "min_loss = 0.01",
        "10: market_forecast.min_loss must be at least 0.02, not 0.01",
    ),
    (
        'item = "market_forecast"',
        'item = "market_forecasts"',
        "11: the item 'market_forecasts' is not in the rubric; did you mean 'market_forecast'?",
    ),
    (
        '"fabricated"',
        '"fabricatd"',
        "5: invented_number.expect.verdict must be 'mismatch' or 'fabricated', "
        "not 'fabricatd'; did you mean 'fabricated'?",
    ),
    (
        '"fabricated"',
        '"fabricated", reason = "unit_slip"',
        "5: only a mismatch has a reason",
    ),
    (
        'verdict = "fabricated"',
        'reason = "unit_slip"',
        "5: 'reason' in [invented_number.expect] needs 'verdict' beside it",
    ),
    (
        '"fabricated"',
        '"fabricated", item = "market_forecast"',
        "5: expect a verdict or an item, not both",
    ),
    ('{ verdict = "fabricated" }', "{}", "5: invented_number.expect must not be empty"),
    (
        'description = "Says',
        'Description = "Says',
        "8: unknown key 'Description' in [market_forecast]; did you mean 'description'?",
    ),
]

RULES = [
    (
        'candidate: Candidate, facts: Mapping[str, Any]) -> Finding:\n    return Finding("because"',
        'candidate: Candidate) -> Finding:\n    return Finding("because"',
        "7: 'explains_why' must take (candidate, facts)",
    ),
    (
        "def _heading",
        "def heading",
        "15: the function 'heading' belongs to no item that a judge decides; "
        "known: explains_why, market_forecast",
    ),
    ("def _heading(", "def _heading) (", "15: not valid Python: unmatched ')'"),
]

OTHERS = [
    (
        "tests/test.sh",
        "exec python3",
        "python3",
        f"{TASK}/tests/test.sh:1: must be the one line: exec python3 -I -m pae_verifiers "
        "--tests /tests --fixtures /fixtures --outputs / --logs /logs/verifier",
    ),
    (
        "environment/generate.py",
        "import json",
        "import numpy.random",
        f"{TASK}/environment/generate.py:1: imports 'numpy': a generator uses the standard "
        "library only",
    ),
    (
        "environment/Dockerfile",
        "WORKDIR /app",
        "WORKDIR /app\nCOPY --chown=0 \\\n  generate.py /gen/",
        f"{TASK}/environment/Dockerfile:5: COPY generate.py puts fixtures or their generator "
        "into the image, which holds software only",
    ),
    (
        "environment/Dockerfile",
        "WORKDIR /app",
        "WORKDIR /app\nVOLUME /data",
        f"{TASK}/environment/Dockerfile:5: VOLUME makes a folder that can be written without a "
        "limit: leave it out",
    ),
]

CASES = [
    (file, old, new, f"{path}:{sentence}")
    for file, path, cases in (
        ("task.toml", f"{TASK}/task.toml", MANIFEST),
        ("tests/verifier.yaml", f"{TASK}/tests/verifier.yaml", VERIFIER),
        ("tests/rubric.yaml", f"{TASK}/tests/rubric.yaml", RUBRIC),
        ("tests/facts.yaml", f"{TASK}/tests/facts.yaml", FACTS),
        ("oracle:traps.toml", f"{ORACLE}/traps.toml", TRAPS),
        ("tests/rules.py", f"{TASK}/tests/rules.py", RULES),
    )
    for old, new, sentence in cases
] + OTHERS


def test_the_sample_is_right(sample: Any) -> None:
    assert sample.problems() == []


@pytest.mark.parametrize(("file", "old", "new", "sentence"), CASES)
def test_an_edit_that_breaks_it(sample: Any, file: str, old: str, new: str, sentence: str) -> None:
    assert sample.edit(file, old, new).problems()[0] == sentence


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("task.toml", f"{TASK}/task.toml: is missing"),
        ("instruction.md", f"{TASK}/instruction.md: is missing"),
        ("environment/Dockerfile", f"{TASK}/environment/Dockerfile: is missing"),
        ("tests/verifier.yaml", f"{TASK}/tests/verifier.yaml: is missing"),
        ("tests/rubric.yaml", f"{TASK}/tests/rubric.yaml: is missing"),
        ("tests/facts.yaml", f"{TASK}/tests/facts.yaml: is missing"),
        ("tests/rules.py", f"{TASK}/tests/rules.py: is missing"),
        ("tests/test.sh", f"{TASK}/tests/test.sh: is missing"),
        ("oracle:solve.sh", f"{ORACLE}/solve.sh: is missing"),
        ("oracle:traps.toml", f"{ORACLE}/traps.toml: is missing"),
    ],
)
def test_a_missing_file(sample: Any, file: str, sentence: str) -> None:
    assert sample.remove(file).problems() == [sentence]


def test_a_folder_that_is_not_there(sample: Any) -> None:
    assert sample.remove("").problems() == [f"{TASK}: is not a task folder"]


def test_an_item_named_like_a_keyword(sample: Any) -> None:
    problems = sample.edit("tests/rubric.yaml", "id: explains_why", "id: class").problems()
    assert f"{TASK}/tests/rubric.yaml:18: the id 'class' is a Python keyword" in problems


def test_an_item_without_its_function(sample: Any) -> None:
    sample.edit("tests/rules.py", "def explains_why", "def explains_what")
    assert sample.problems() == [
        f"{TASK}/tests/rubric.yaml:18: rules.py has no function 'explains_why' for this item; "
        "is it 'explains_what'?",
        f"{TASK}/tests/rules.py:7: the function 'explains_what' belongs to no item that a judge "
        "decides; did you mean 'explains_why'?",
    ]


@pytest.mark.parametrize(
    "output", ["/app/data/results.json", "/app/data", "/app/data/policy.yaml/x"]
)
def test_an_output_that_is_also_an_input(sample: Any, output: str) -> None:
    problems = sample.edit("task.toml", "/app/output/note.md", output).problems()
    assert problems[0].startswith(f"{TASK}/task.toml:20: the output {output} is also a fixture (")
    assert problems[0].endswith("): the agent could rewrite it")


def test_an_output_that_is_also_a_static_fixture(sample: Any) -> None:
    sample.write("environment/fixtures/app/output/note.md", "A draft.\n")
    assert sample.problems() == [
        f"{TASK}/task.toml:20: the output /app/output/note.md is also a fixture "
        "(/app/output/note.md): the agent could rewrite it"
    ]


def test_an_input_that_stands_twice(sample: Any) -> None:
    sample.edit("task.toml", "/app/data/policy.yaml", "/app/data/results.json")
    assert (
        f"{TASK}/task.toml:17: /app/data/results.json stands twice in inputs" in sample.problems()
    )


def test_an_input_that_nothing_makes(sample: Any) -> None:
    assert sample.remove("environment/generate.py").problems() == [
        f"{TASK}/task.toml:16: the input /app/data/results.json is not in environment/fixtures, "
        "and there is no generate.py"
    ]


def test_no_fixtures_at_all(sample: Any) -> None:
    sample.remove("environment/generate.py").remove("environment/fixtures")
    assert sample.problems() == [
        f"{TASK}/environment/generate.py: is missing, and there are no fixtures/ either"
    ]


def test_a_generator_of_several_files(sample: Any) -> None:
    sample.write("environment/prices.py", "import math\n")
    sample.edit("environment/generate.py", "import json", "import json, prices")
    assert sample.problems() == []


def test_an_oracle_that_shares_code_with_the_project(sample: Any) -> None:
    sample.write("oracle:write.py", "\nfrom pae_verifiers.numbers import tie\n")
    assert sample.problems() == [
        f"{ORACLE}/write.py:2: imports 'pae_verifiers': an oracle uses the standard library only"
    ]


def test_a_trap_that_is_only_listed(sample: Any) -> None:
    sample.edit("task.toml", '"invented_number", ', '"invented_number", "invented_date", ')
    assert sample.problems() == [
        f"{TASK}/task.toml:14: the trap 'invented_date' is not described in traps.toml"
    ]


def test_a_trap_whose_name_is_misspelt(sample: Any) -> None:
    sample.edit("oracle:traps.toml", "[invented_number]", "[invented_numbr]")
    assert sample.problems() == [
        f"{ORACLE}/traps.toml:1: the trap 'invented_numbr' is not listed in task.toml's "
        "metadata.traps; did you mean 'invented_number'?",
        f"{ORACLE}/traps.toml:1: the trap 'invented_numbr' has no script "
        "traps/invented_numbr.sh; did you mean 'invented_number'?",
        f"{ORACLE}/traps/invented_number.sh: no trap in traps.toml is called 'invented_number'",
        f"{TASK}/task.toml:14: the trap 'invented_number' is not described in traps.toml; "
        "did you mean 'invented_numbr'?",
    ]


def test_a_trap_without_its_script(sample: Any) -> None:
    assert sample.remove("oracle:traps/market_forecast.sh").problems() == [
        f"{ORACLE}/traps.toml:7: the trap 'market_forecast' has no script traps/market_forecast.sh"
    ]


def test_a_trap_on_an_item_of_little_weight(sample: Any) -> None:
    sample.edit("oracle:traps.toml", 'item = "market_forecast"', 'item = "word_limit"')
    sample.edit("tests/rubric.yaml", "weight: 0.1", "weight: 0.04")
    sample.edit("tests/rubric.yaml", "weight: 0.7", "weight: 0.76")
    assert sample.problems() == [
        f"{ORACLE}/traps.toml:11: the item 'word_limit' has a weight of 0.04: "
        "one that a trap targets has at least 0.05"
    ]


def test_a_trap_on_an_item_of_little_penalty(sample: Any) -> None:
    sample.edit("tests/rubric.yaml", "penalty: 0.5", "penalty: 0.01")
    assert sample.problems() == [
        f"{ORACLE}/traps.toml:11: the item 'market_forecast' has a penalty of 0.01: "
        "one that a trap targets has at least 0.05"
    ]


def test_a_trap_on_an_optional_item(sample: Any) -> None:
    sample.edit("tests/rubric.yaml", "role: disallowed\n    penalty: 0.5", "role: optional")
    assert sample.problems() == [
        f"{ORACLE}/traps.toml:11: the item 'market_forecast' is optional: missing it costs nothing"
    ]


def test_a_rubric_that_no_metric_uses(sample: Any) -> None:
    problems = sample.edit("tests/verifier.yaml", "check: rubric", "check: numbers").problems()
    assert (
        f"{TASK}/tests/verifier.yaml:5: no metric has 'check: rubric', so 'rubric' is never used"
        in problems
    )


def test_two_oracles(sample: Any) -> None:
    sample.write("solution/solve.sh", "true\n")
    assert sample.problems() == [f"{TASK}/solution: is a second oracle beside {ORACLE}: keep one"]


def test_a_link(sample: Any) -> None:
    (sample.task / "tests" / "extra").symlink_to("/etc")
    assert sample.problems() == [f"{TASK}/tests/extra: is a link: a task folder holds plain files"]


def test_a_file_that_is_no_text(sample: Any) -> None:
    (sample.task / "instruction.md").write_bytes(b"one\ntwo\n\xff")
    assert sample.problems() == [f"{TASK}/instruction.md:3: is not UTF-8 text"]


def test_a_file_without_a_word(sample: Any) -> None:
    assert sample.write("instruction.md", "\n").problems() == [f"{TASK}/instruction.md:1: is empty"]


def test_a_second_line_in_test_sh(sample: Any) -> None:
    path: Path = sample.task / "tests" / "test.sh"
    path.write_text("#!/bin/sh\n" + path.read_text() + "echo done\n")
    (problem,) = sample.problems()
    assert problem.startswith(f"{TASK}/tests/test.sh:3: must be the one line: exec python3 -I")


def test_yaml_that_ends_too_early(sample: Any) -> None:
    path: Path = sample.task / "tests" / "facts.yaml"
    path.write_text("names: {}\nfacts: [\n")
    (problem,) = sample.problems()
    assert problem.startswith(f"{TASK}/tests/facts.yaml:2: not valid YAML: ")


def test_yaml_that_is_a_list(sample: Any) -> None:
    problems = sample.write("tests/facts.yaml", "- a\n").problems()
    assert problems == [f"{TASK}/tests/facts.yaml:1: must be a mapping of keys to values"]


def test_an_empty_yaml_file(sample: Any) -> None:
    assert sample.write("tests/facts.yaml", "").problems() == [
        f"{TASK}/tests/facts.yaml:1: the file is empty"
    ]


def test_problems_are_sorted_by_file_and_line(sample: Any) -> None:
    sample.edit("task.toml", "cpus = 0.5", "cpu = 0.5")
    sample.edit("task.toml", "tier = 1", "tier = 9")
    sample.edit("oracle:traps.toml", "min_loss = 0.5", "min_loss = 5")
    assert sample.problems() == [
        f"{ORACLE}/traps.toml:4: invented_number.min_loss must be at most 1, not 5",
        f"{TASK}/task.toml:11: metadata.tier must be at most 3, not 9",
        f"{TASK}/task.toml:37: unknown key 'cpu' in [environment]; did you mean 'cpus'?",
    ]
