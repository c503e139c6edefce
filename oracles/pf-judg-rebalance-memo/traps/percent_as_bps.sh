#!/usr/bin/env bash
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
bash "$here/solve.sh"
exec python3 -I "$here/edit.py" percent_as_bps
