#!/bin/bash
# The layer check must fail on the tree DIR and say exactly what DIR/expected says.
# Usage: refuses.sh CHECK DIR
set -euo pipefail

status=0
report=$("$1" "$2") || status=$?
if ((status != 1)); then
  echo "expected exit code 1, got $status"
  exit 1
fi
diff "$2/expected" - <<<"$report"
