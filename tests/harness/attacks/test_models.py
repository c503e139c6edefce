"""Agents that are given a model, and turn it against the run: its key, its time, its failures.

The model answers everything but what says "odd"; that it refuses, with the key in what it says.
"""

from __future__ import annotations

from tests.fake_model import Answer, Seen, fake_model, refused, said
from tests.harness.attacks.lab import HONEST, NOTHING, RIGHT, Lab, together

KEY = "sk-attacked-0123456789abcdef"
ASKING = """
import http.client, threading
TOKEN, MODEL = os.environ["OPENAI_API_KEY"], os.environ["OPENAI_MODEL"]
CHAT = "/v1/chat/completions"


def body(text="Fee?", **more):
    told = {"model": MODEL, "messages": [{"role": "user", "content": text}], **more}
    return json.dumps(told).encode()


def ask(data, path=CHAT):
    line = http.client.HTTPConnection("127.0.0.1", 4141)
    line.request("POST", path, data, {"authorization": "Bearer " + TOKEN})
    answer = line.getresponse()
    return answer.status, answer.read()


def head(line=f"POST {CHAT} HTTP/1.1", token=TOKEN, **more):
    told = {"host": "x", "authorization": f"Bearer {token}", **more}
    lines = [line, *(f"{name.replace('_', '-')}: {value}" for name, value in told.items())]
    return "\\r\\n".join(lines).encode() + b"\\r\\n\\r\\n"


def raw(data):
    with socket.create_connection(("127.0.0.1", 4141)) as line:
        line.sendall(data)
        line.shutdown(socket.SHUT_WR)
        heard = b""
        while piece := line.recv(65536):
            heard += piece
        return heard


def side_by_side(what, times, seconds):
    for _ in range(times):
        threading.Thread(target=what, daemon=True).start()
    time.sleep(seconds)
"""

# Each is refused before anybody is asked; one that is not raises.
KNOCKING = {
    "another model": 'assert ask(body(model="large"))[0] == 403',
    "another model, written first": """
assert ask(b'{"model": "' + MODEL.encode() + b'", ' + body(model="large")[1:])[0] == 403
""",
    "models behind it": 'assert ask(body(models=["large"]))[0] == 403',
    "another path": """
for path in ("/v1/files", "/v1/embeddings", CHAT + "/../../files", "/admin"):
    assert ask(body(), path)[0] == 404, path
""",
    "a tunnel": 'assert b" 404 " in raw(head("CONNECT 10.0.0.1:443 HTTP/1.1"))',
    "an address of its own": """
assert b" 404 " in raw(head(f"POST http://10.0.0.1{CHAT} HTTP/1.1"))
""",
    "another protocol": """
assert b" 401 " in raw(b"PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n")
told = head("GET /v1/none HTTP/1.1", connection="upgrade", upgrade="websocket")
assert b" 404 " in raw(told)
""",
    "a second request within the first": """
inner = head(token="none", content_length=str(len(body()))) + body()
heard = raw(head(content_length="1") + b"{" + inner)
assert heard.count(b"HTTP/1.1 400") == heard.count(b"HTTP/1.1 401") == 1, heard
heard = raw(head(content_length="3", transfer_encoding="chunked") + b"0\\r\\n\\r\\n" + inner)
assert b" 200 " not in heard, heard
""",
    "headers within headers": """
for value in ("a\\rx: b", "a\\0b", "a" * 200_000):
    assert b" 400 " in raw(head(accept=value)), value[:9]
""",
    "a socket that is not its own": """
assert sorted(os.listdir("/broker")) == ["broker.sock", "forward.py"]
for what in (lambda: os.unlink("/broker/broker.sock"), lambda: write("", "/broker/forward.py")):
    try:
        what()
    except OSError:
        continue
    raise AssertionError("/broker can be written to")
""",
}
ATTACKS = {
    "honest": HONEST,
    "asks": ASKING + "assert ask(body())[0] == 200\nwrite()",
    "knocks": ASKING + together(KNOCKING),
    "has the key told": ASKING
    + """
status, told = ask(body("odd"))
assert status == 400 and b"[key]" in told, told
""",
    "ends the forwarder": ASKING + "ask(body())\nos.kill(os.getppid(), signal.SIGKILL)",
    "fails in the last call": ASKING + 'assert ask(body("odd"), "/v1/messages")[0] == 400',
    "leaves in the last call": ASKING
    + 'side_by_side(lambda: ask(body("odd" + "x" * 400_000)), 20, 0.5)',
    "makes itself hard to read": ASKING
    + """
big = body()[:-1] + b', "metadata": [' + b"[]," * 1_300_000 + b"0]}"
deep = body()[:-1] + b', "metadata": ' + b"[" * 700 + b"0," * 40_000 + b"0" + b"]" * 700 + b"}"
assert [ask(big)[0], ask(deep)[0]] == [413, 413]
side_by_side(lambda: ask(big), 30, 2)
""",
    "comes in small pieces": ASKING
    + """
flood = head(transfer_encoding="chunked") + b"1\\r\\n \\r\\n" * 300_000
side_by_side(lambda: raw(flood), 60, 4)
""",
}


def answer(asked: Seen) -> Answer:
    if "odd" in str(asked.json["messages"]):
        return refused(f"\x1b]0;odd\x07 for {asked.headers.get('authorization', KEY)}")
    return said("The fee is unknown to me.")


def test_a_model_helps_nobody_who_does_not_work(lab: Lab) -> None:
    lab.environment["AGENT_API_KEY"] = KEY
    with fake_model(answer) as model:
        ran = lab.run(ATTACKS, "-m", f"fake-1@{model.url}")
    earned = {name: RIGHT if name in ("honest", "asks") else NOTHING for name in ATTACKS}
    assert ran.earned == earned, ran.out
    assert ran.exits == {"ends the forwarder": 137}, [ran.log(name) for name in ran.exits]
    assert {asked.path for asked in model.seen} == {"/v1/chat/completions", "/v1/messages"}
    assert {asked.json["model"] for asked in model.seen} == {"fake-1"}
    for path in ran.folder.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path


def test_what_a_model_says_drives_no_terminal(lab: Lab) -> None:
    lab.environment["AGENT_API_KEY"] = KEY
    with fake_model(refused("\x1b]0;odd\x07\u202e[red]none", 401)) as model:
        ran = lab.run({"asks": ASKING + "ask(body())"}, "-m", f"fake-1@{model.url}")
    assert ran.earned == {"asks": ("unscored", None)}
    assert "401 Unauthorized" in ran.reason("asks")
    for text in (ran.out, ran.err, ran.reason("asks")):
        assert not {"\x1b", "\x07", "\u202e"} & {*text}
