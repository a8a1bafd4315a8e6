#!/bin/bash
# The program of a page prints what the page says.
# Usage: page.sh PROGRAM PAGE
set -euo pipefail
expected=$(awk -v kind=text -f "$(dirname "$0")/block.awk" "$2")
[[ -n $expected ]]
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"  # the program writes files
diff <(printf '%s\n' "$expected") <("$program")
