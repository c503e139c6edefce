"""Write one seed's fixtures: ``generate.py --seed N --out DIR`` makes ``DIR/app/...``.

The environment variable PAE_SEED_SALT, where set, is mixed into the seed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

from case import draw_case  # noqa: E402
from jsontext import dump  # noqa: E402
from policy_text import policy_text  # noqa: E402
from results import results  # noqa: E402


def key_for(seed: int, salt: str) -> str:
    return hashlib.sha256(f"rebalance-memo\0{salt}\0{seed}".encode()).hexdigest()


def fixtures(seed: int, salt: str = "") -> dict[str, str]:
    """Text by path, relative to the root of the container."""
    case = draw_case(key_for(seed, salt))
    return {
        "app/output/results.json": dump(results(case)) + "\n",
        "app/policy/ips.yaml": policy_text(case),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    for name, text in fixtures(args.seed, os.environ.get("PAE_SEED_SALT", "")).items():
        path = args.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
