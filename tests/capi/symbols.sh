#!/bin/bash
# A shared library exports what the list says, under the version it says, and nothing else; and
# c.h declares the same. "<" is missing, ">" is too much.
# Usage: symbols.sh LIBRARY LIST HEADER
set -euo pipefail
export LC_ALL=C

# The version node itself is an absolute symbol (A).
exported=$(nm -D --defined-only --with-symbol-versions "$1" | awk '$2 != "A" { print $3 }' | sort)
declared=$(grep -v "^ *//" "$3" | grep -o "\brenyi_[a-z_]*(" | tr -d "(" | sort)  # examples in comments are no declarations

status=0
diff "$2" - <<<"$exported" || { echo "$1 exports something else than $2 says" && status=1; }
diff <(sed 's/@.*//' "$2") - <<<"$declared" || { echo "$3 declares something else than $2 says" && status=1; }

# The name by which programs find it has the number of the version node.
soname=$(readelf -d "$1" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
node=$(sed -n '1s/.*@@RENYI_//p' "$2")
if [[ $soname != "librenyi_c.so.$node" ]]; then
  echo "the SONAME is $soname, not librenyi_c.so.$node"
  status=1
fi
exit "$status"
