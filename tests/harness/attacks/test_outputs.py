"""Agents that leave something else than a plain document where their document should lie."""

from __future__ import annotations

from tests.harness.attacks.lab import FAILED, HONEST, RIGHT, Lab

# What each leaves, and what the reason says of it.
OUTPUTS = {
    "a file without permissions": ("write(); os.chmod(NOTE, 0)", "is not readable"),
    "a root without permissions": ("write(); os.chmod('/app', 0)", "Permission denied"),
    "a file in place of the folder": (
        "os.remove(NOTE); os.rmdir('/app/output'); write(path='/app/output')",
        "Not a directory",
    ),
    "a link in place of the folder": (
        "write(); os.rename('/app/output', '/app/o'); os.symlink('o', '/app/output')",
        "Not a directory",
    ),
    "a link to the host's file": (
        "os.remove(NOTE); os.symlink('/etc/passwd', NOTE)",
        "neither a plain file",
    ),
    "a hard link": ("write(); os.link(NOTE, '/app/other')", "hard-linked"),
    "a socket": (
        "os.remove(NOTE); socket.socket(socket.AF_UNIX).bind(NOTE)",
        "neither a plain file",
    ),
    "a pipe, as no device can be made": (
        "os.remove(NOTE)\n"
        "for kind in (stat.S_IFCHR, stat.S_IFBLK):\n"
        "  try: os.mknod(NOTE, kind | 0o666, os.makedev(1, 5))\n"
        "  except PermissionError: pass\n"
        "os.mkfifo(NOTE)",
        "neither a plain file",
    ),
    "a folder with the note in it": (
        "os.remove(NOTE); os.mkdir(NOTE); write(path=NOTE + '/note.md')",
        "is a folder",
    ),
    "four exabytes of nothing": ("os.truncate(NOTE, 1 << 62)", "4611686018427387904 bytes"),
    "fifteen megabytes of nothing": ("os.truncate(NOTE, 15 << 20)", "larger than 64 KB"),
    "a name that is no text": (
        "os.remove(NOTE); os.mkdir(NOTE); open(NOTE.encode() + b'/\\xff\\xfe', 'w').close()",
        "is not a UTF-8 name",
    ),
    "a folder of 20,000 files": (
        "os.remove(NOTE); os.mkdir(NOTE)\nfor i in range(20_000): open(f'{NOTE}/{i}', 'w').close()",
        "more than 1000 files",
    ),
    "a folder of 900 lines": (
        "os.remove(NOTE); os.mkdir(NOTE)\n"
        "for i in range(900): open(f'{NOTE}/a\\n\\x1b[31m{i}', 'w').close()",
        "is a folder",
    ),
    "an empty note that a daemon fills for ever": (
        "if os.fork() == 0:\n  os.setsid()\n  while True: open(NOTE, 'w').write('')\n"
        "time.sleep(0.3)",
        "empty",
    ),
    "no text": ("open(NOTE, 'wb').write(GOOD.encode() + b'\\0')", "binary"),
    "no UTF-8": ("open(NOTE, 'wb').write(GOOD.encode('utf-16'))", "not UTF-8"),
}


def test_what_is_no_plain_document_earns_nothing(lab: Lab) -> None:
    attacks = {name: program for name, (program, _) in OUTPUTS.items()}
    ran = lab.run({**attacks, "honest": HONEST}, "--keep")
    assert ran.earned == {**dict.fromkeys(OUTPUTS, FAILED), "honest": RIGHT}
    assert (ran.exits, ran.code) == ({}, 0)
    unsaid = {
        name: ran.reason(name) for name, (_, why) in OUTPUTS.items() if why not in ran.reason(name)
    }
    assert unsaid == {}
    assert all(ran.reason(name).isprintable() for name in OUTPUTS)
    kept = [path for path in ran.folder.rglob("*") if not (path.is_dir() or path.is_file())]
    assert [path for path in kept if path != ran.folder] == []
    assert not any(path.is_symlink() for path in ran.folder.rglob("*"))
