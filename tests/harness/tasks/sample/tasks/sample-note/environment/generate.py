import json
import pathlib
import sys


def main(out: pathlib.Path, seed: str) -> None:
    target = out / "app" / "data" / "results.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps({"costs": {"total": int(seed)}}), encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[4]), sys.argv[2])
