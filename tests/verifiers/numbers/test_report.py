"""A scan as JSON."""

from __future__ import annotations

import json

from pae_verifiers.numbers import markdown, report, scanner


def test_shape_of_a_scan() -> None:
    source = "Costs fell by **$4.5m**, a mid-teens cut. <!-- 5% -->"
    assert report.scan_json(scanner.scan(markdown.render(source))) == {
        "quantities": [
            {
                "text": "$4.5m",
                "start": 16,
                "end": 21,
                "value": "-4500000",
                "unit": "USD",
                "kind": "quantity",
                "sign_from_word": True,
                "quantum": "100000",
                "bound": None,
                "lookalike": False,
            }
        ],
        "vague": [{"text": "mid-teens", "start": 27, "end": 36}],
        "hidden": [
            {
                "text": "5%",
                "start": 47,
                "end": 49,
                "value": "5",
                "unit": "percent",
                "kind": "quantity",
                "sign_from_word": False,
                "quantum": "1",
                "bound": None,
                "lookalike": False,
            }
        ],
    }


def test_it_is_json() -> None:
    result = scanner.scan(markdown.render("1e-9 and 20.0% and one-third"))
    values = [q["value"] for q in json.loads(json.dumps(report.scan_json(result)))["quantities"]]
    assert values[:2] == ["0.000000001", "20.0"]
