#!/usr/bin/env bash
set -euo pipefail
fee=$(python3 -I -c 'import json; print(json.load(open("/app/data/results.json"))["fee_usd"])')
echo "The fee is \$$fee." > /app/output/note.md
