#!/usr/bin/env bash
# The oracle: a memo from a template over results.json.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
exec python3 -I "$here/memo.py"
