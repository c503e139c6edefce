"""One verification, from the document to the score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from pae_verifiers.__main__ import run
from pae_verifiers.config import Config, Metric
from pae_verifiers.judge.protocol import Judgement
from pae_verifiers.numbers.model import Facts
from pae_verifiers.rubric.load import load
from pae_verifiers.rubric.model import Case as Judged
from pae_verifiers.rubric.model import Rubric, Status
from pae_verifiers.verify import Score, Sources, verify

if TYPE_CHECKING:
    from tests.verifiers.conftest import Case

Edit = Callable[[str, str], None]

RUBRIC_ONLY = Config("/app/output/memo.md", (Metric("judge_rubric", "rubric", 1.0),))
ONE_ITEM = load(
    "kind: items\nitems: [{id: says_why, role: required, weight: 1, text: It says why.}]\n"
)


@dataclass(frozen=True)
class FixedJudge:
    """A judge that has made up its mind."""

    judgement: Judgement
    name: str = "fixed"

    def judge(self, rubric: Rubric, case: Judged) -> Judgement:
        return self.judgement


def score(case: Case) -> Score:
    return run(case.tests, case.fixtures, case.outputs)


def numbers(result: Score) -> list[Mapping[str, Any]]:
    details = result.details["numbers"]
    assert isinstance(details, dict)
    found: list[Mapping[str, Any]] = details["numbers"]
    return found


def items(result: Score) -> Mapping[str, Mapping[str, Any]]:
    details = result.details["rubric"]
    assert isinstance(details, dict)
    return {item["id"]: item for item in details["items"]}


def test_a_good_document_earns_one(case: Case) -> None:
    result = score(case)
    assert result.reward == 1.0
    assert result.metrics == {"numeric_consistency": 1.0, "judge_rubric": 1.0}
    assert (result.status, result.reason, result.not_measured) == ("scored", "", ())


def test_every_number_is_in_the_details(case: Case) -> None:
    verdicts = {number["text"]: number["verdict"] for number in numbers(score(case))}
    assert verdicts == {"two": "matched", "9.4%": "matched", "$1,234.56": "matched"}


def test_every_item_is_in_the_details(case: Case, edit: Edit) -> None:
    edit("Volatility is", "Shares will rise. Volatility is")
    found = items(score(case))
    text = case.memo.read_text(encoding="utf-8")
    start = text.index("Shares will rise.")
    assert list(found) == ["word_limit", "sections_present", "says_why", "polite", "forecast"]
    assert found["forecast"] == {
        "id": "forecast",
        "role": "disallowed",
        "passed": False,
        "rationale": "a forecast",
        "evidence": [{"text": "Shares will rise.", "start": start, "end": start + 17}],
        "by": "judge",
    }
    assert (found["polite"]["passed"], found["word_limit"]["by"]) == (False, "code")


def test_the_rules_judge_is_named(case: Case) -> None:
    details = score(case).details["rubric"]
    assert isinstance(details, dict)
    assert (details["judge"], details["score"]) == ("rules", 1.0)


def test_a_triggered_item_halves_the_rubric(case: Case, edit: Edit) -> None:
    edit("Volatility is", "Shares will rise. Volatility is")
    result = score(case)
    assert result.metrics == {"numeric_consistency": 1.0, "judge_rubric": 0.5}
    assert result.reward == 0.707106781187


def test_an_invented_number_ends_the_verification(case: Case, edit: Edit) -> None:
    edit("9.4%", "17.3%")
    result = score(case)
    assert (result.reward, result.metrics) == (0.0, {"numeric_consistency": 0.0})
    assert (result.status, result.not_measured) == ("scored", ("judge_rubric",))
    assert result.details["not_measured"] == ["judge_rubric"]
    assert "rubric" not in result.details


def test_a_rubric_of_zero_gives_zero(case: Case, edit: Edit) -> None:
    edit("because", "as")
    edit("## Cost", "**Cost**")
    rubric = case.tests / "rubric.yaml"
    rubric.write_text(rubric.read_text().replace("max: 60", "max: 1").replace("60 words", "1 word"))
    result = score(case)
    assert (result.reward, result.metrics["judge_rubric"]) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the document is empty"),
        (b"\xff\xfe", "the document is not UTF-8 text (byte 0)"),
        (b"Cost \x00 1", "the document is binary (it contains NUL)"),
        (b"a" * 65_537, "/app/output/memo.md is larger than 64 KB (65537 bytes)"),
    ],
)
def test_what_cannot_be_read_earns_nothing_with_a_reason(
    case: Case, data: bytes, reason: str
) -> None:
    case.memo.write_bytes(data)
    result = score(case)
    assert (result.reward, result.status, result.reason) == (0.0, "not_evaluable", reason)
    assert result.metrics == {"numeric_consistency": 0.0, "judge_rubric": 0.0}
    assert result.details == {"not_measured": [], "status": "not_evaluable", "reason": reason}


def test_a_missing_document_earns_nothing(case: Case) -> None:
    case.memo.unlink()
    result = score(case)
    assert (result.reward, result.reason) == (0.0, "there is no /app/output/memo.md")


def test_a_link_earns_nothing(case: Case) -> None:
    case.memo.unlink()
    case.memo.symlink_to("/etc/passwd")
    result = score(case)
    assert (result.reward, result.reason) == (
        0.0,
        "/app/output/memo.md is a link, not a plain file",
    )


def test_results_that_the_agent_rewrote_count_for_nothing(case: Case, edit: Edit) -> None:
    edit("9.4%", "17.3%")
    forged = case.outputs / "app/output/results.json"
    forged.write_text('{"risk": {"volatility_pct": 17.3}}')
    assert score(case).reward == 0.0


def test_a_quarantined_reply_leaves_no_reward() -> None:
    judge = FixedJudge(Judgement(status="quarantined", reason="no JSON, twice"))
    result = verify(b"We sold.", RUBRIC_ONLY, Sources(Facts(())), ONE_ITEM, judge)
    assert (result.status, result.reward, result.metrics) == ("quarantined", None, {})
    assert (result.reason, result.not_measured) == ("no JSON, twice", ("judge_rubric",))
    with pytest.raises(ValueError, match="no reward"):
        result.reward_json()


def test_what_a_judge_calls_not_evaluable_earns_nothing() -> None:
    status: Status = "not_evaluable"
    judge = FixedJudge(Judgement(status=status, reason="no [NOTE]"))
    result = verify(b"We sold.", RUBRIC_ONLY, Sources(Facts(())), ONE_ITEM, judge)
    assert (result.status, result.reward, result.reason) == ("not_evaluable", 0.0, "no [NOTE]")


@pytest.mark.parametrize("mark", ["<", "\x85", "\x01"])
def test_a_document_that_would_swell_beyond_any_judge_s_room_earns_nothing(mark: str) -> None:
    """It would be refused by the model's endpoint, and be unscored instead."""
    source = f"We sold.{mark * 21_000}".encode()
    judge = FixedJudge(Judgement(status="quarantined", reason="too long"))
    assert verify(source, RUBRIC_ONLY, Sources(Facts(())), ONE_ITEM, judge).reward is None
    result = verify(source + mark.encode() * 844, RUBRIC_ONLY, Sources(Facts(())), ONE_ITEM, judge)
    assert (result.status, result.reward) == ("not_evaluable", 0.0)
    assert result.reason.startswith("the document swells to 131074 characters")


def test_a_judge_that_leaves_an_item_open_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"the answers are to \[\], not to \['says_why'\]"):
        verify(b"x", RUBRIC_ONLY, Sources(Facts(())), ONE_ITEM, FixedJudge(Judgement()))


def test_a_judge_cannot_quote_what_is_not_there() -> None:
    answer = {"rubricId": "says_why", "passed": True, "rationale": "", "evidence": ["because"]}
    judge = FixedJudge(Judgement({"criteria": [answer]}))
    with pytest.raises(ValueError, match="'because' does not stand in the document"):
        verify(b"We sold.", RUBRIC_ONLY, Sources(Facts(())), ONE_ITEM, judge)
