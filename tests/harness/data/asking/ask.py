"""A verifier that asks its model one question, by the standard library alone."""

import hashlib
import http.client
import json
import os
import socket
import sys
from pathlib import Path

LOGS = Path("/logs/verifier")


def ask(body: dict[str, object]) -> tuple[int, dict[str, object]]:
    """The answer of the model behind JUDGE_BASE_URL."""
    path = os.environ["JUDGE_BASE_URL"].removeprefix("unix://")
    connection = http.client.HTTPConnection("broker", timeout=30)
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.connect(path)
    headers = {"authorization": f"Bearer {os.environ['JUDGE_API_KEY']}"}
    connection.request("POST", "/v1/chat/completions", json.dumps(body), headers)
    response = connection.getresponse()
    return response.status, json.loads(response.read())


def main() -> int:
    """Ask how good the note is, from 0 to 1; PAE_JUDGE=rules thinks that all are perfect."""
    note = Path("/app/output/note.md").read_text()
    fee = json.loads(Path("/fixtures/app/data/results.json").read_text())["fee_usd"]
    numbers = float(f"${fee}" in note)
    details: dict[str, object] = {"environment": dict(os.environ), "not_measured": []}
    reward = {"reward": 0.0, "numeric_consistency": numbers}
    if not numbers:
        details["not_measured"] = ["judge_rubric"]
    else:
        judged, record = 1.0, {}
        if os.environ["PAE_JUDGE"] == "model":
            body = {
                "model": os.environ["JUDGE_MODEL"],
                "messages": [{"role": "user", "content": f"How good is this? {note}"}],
            }
            try:
                status, reply = ask(body)
            except OSError as error:
                sys.stderr.write(f"ask: quarantined: {error}\n")
                return 3
            if status != 200:
                sys.stderr.write(f"ask: quarantined: HTTP {status}: {reply['error']['message']}\n")
                return 3
            judged = float(reply["choices"][0]["message"]["content"])
            text = json.dumps(body, sort_keys=True, separators=(",", ":"))
            record = {"accepted": hashlib.sha256(text.encode()).hexdigest()}
        reward |= {"judge_rubric": judged, "reward": (numbers * judged) ** 0.5}
        details["rubric"] = {"judge": os.environ["PAE_JUDGE"], "judge_record": record}
    (LOGS / "details.json").write_text(json.dumps(details))
    (LOGS / "reward.json").write_text(json.dumps(reward))
    return 0


sys.exit(main())
