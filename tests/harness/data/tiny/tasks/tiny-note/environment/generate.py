"""The fee of a seed: 100.25 dollars and one more for each."""

import argparse
import json
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, required=True)
parser.add_argument("--out", type=Path, required=True)
args = parser.parse_args()
path = args.out / "app" / "data" / "results.json"
path.parent.mkdir(parents=True)
path.write_text(json.dumps({"fee_usd": 100.25 + args.seed}) + "\n")
