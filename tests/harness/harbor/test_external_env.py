"""``${VAR}`` in an external task's variables: where its value comes from, and what never does."""

from __future__ import annotations

import pytest

from pae_harness.harbor.external_env import settle

HERE = {"LEVEL": "7", "OPENAI_API_KEY": "sk-secret", "PAE_SEED_SALT": "salt", "EMPTY": ""}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("plain", "plain"),
        ("${LEVEL}", "7"),
        ("${LEVEL:-1}", "7"),
        ("${EMPTY:-1}", ""),
        ("${UNSET:-1}", "1"),
        ("${UNSET:-}", ""),
        ("level ${LEVEL}", "level ${LEVEL}"),  # Harbor's templates are whole values
        ("$LEVEL", "$LEVEL"),
    ],
)
def test_a_template_takes_the_variable_or_its_default(text: str, value: str) -> None:
    assert settle({"X": text}, HERE) == {"X": value}


def test_a_variable_that_the_task_does_not_name_is_not_passed() -> None:
    assert settle({}, HERE) == {}


def test_what_is_not_set_and_has_no_default_is_refused() -> None:
    with pytest.raises(ValueError, match="X asks for UNSET, which is not set and has no default"):
        settle({"X": "${UNSET}"}, HERE)


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "PAE_SEED_SALT", "AWS_PROFILE", "GH_TOKEN"])
def test_a_credential_of_this_machine_never_enters_a_box(name: str) -> None:
    here = {**HERE, name: "secret"}
    assert settle({"X": f"${{{name}:-none}}"}, here) == {"X": "none"}
    with pytest.raises(ValueError, match=f"this machine's {name}, and no box here is given a"):
        settle({"X": f"${{{name}}}"}, here)
