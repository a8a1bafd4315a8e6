#!/bin/bash
# Runs the library as it is shipped under valgrind: no branch and no address depends on random words or on data, and
# calls of the same size take the same number of instructions, whatever the words and the data are.
# Usage: tests/noise/secrets/watch.sh PROGRAM [branches]   (branches: without the counts, which take a minute)
set -euo pipefail
program=$1
reported=9

# Every sampler of the header has an entry of its name.
declared=$(sed -nE 's/^(Release|Choice|std::vector<std::uint64_t>) ([a-z_]+)\(.*/\2/p' \
  "$(dirname "$0")/../../../include/renyi/noise.h" | sort -u | tr _ -)
(($(wc -w <<<"$declared") >= 18)) || { echo "secrets: few samplers are found in renyi/noise.h: $declared" >&2; exit 1; }

memcheck() { valgrind --quiet --error-exitcode=$reported "$program" "$@" 2>&1; }

# Kernels for a processor without vectors only with the counts.
for watch in watch $([[ ${2:-} == branches ]] || echo watch-baseline); do
  said=$(memcheck "$watch") || { echo "$said"; echo "secrets: memcheck found a branch or an address that depends on a secret" >&2; exit 1; }
  unwatched=$(comm -23 <(echo "$declared") <(sort <<<"$said"))
  [[ -z $unwatched ]] || { echo "secrets: $watch does not watch" $unwatched >&2; exit 1; }
  echo "secrets: $watch: no branch or address depends on random words or data: $(tr '\n' ' ' <<<"$said")"
done
for leak in branch address; do
  status=0
  memcheck "leak-$leak" >/dev/null || status=$?
  ((status == reported)) || { echo "secrets: memcheck does not see a planted $leak (status $status)" >&2; exit 1; }
done
[[ ${2:-} == branches ]] && exit

# Prints the words that were used, and the instructions of a call.
counted() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no "$program" count "$1" "$2" 2>&1 |
    awk '/^[0-9]+$/ { words = $1 } /Collected :/ { print words, $NF }'
}
for name in $("$program" names); do
  counts=$(for seed in 1 2 3 4 5 6; do counted "$name" "$seed"; done | sort | uniq -c)
  # Attempts that were rejected may make another block necessary; within the same number of words all are equal.
  if (($(awk '{ print $2 }' <<<"$counts" | sort | uniq -d | wc -l) > 0)) || (($(awk '$1 > 1' <<<"$counts" | wc -l) == 0)); then
    echo "secrets: the instructions of $name depend on what is drawn (seeds, words, instructions):" >&2
    echo "$counts" >&2
    exit 1
  fi
  echo "secrets: $name: $(awk '{ print $3 " instructions for " $2 " words, " $1 " seeds" }' <<<"$counts" | paste -sd ';')"
done
