#!/bin/sh
right=$(test "$(cat /app/out/count.txt)" -eq "$(cat /tests/expected.txt)" && echo 1 || echo 0)
there=$(test -s /app/out/count.txt && echo 1 || echo 0)
echo "{\"reward\": $right, \"there\": $there, \"seconds\": 12}" > /logs/verifier/reward.json
