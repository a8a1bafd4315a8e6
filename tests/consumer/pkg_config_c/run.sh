#!/bin/bash
# Builds a C program with the C interface found by pkg-config into the directory given, and runs it.
# Usage: run.sh PROGRAM OUT
set -euo pipefail

rm -rf "$2"
mkdir -p "$2"
# shellcheck disable=SC2046  # flags are words
cc -std=c11 -Wall -Wextra -Werror -pedantic "$1" $(pkg-config --cflags --libs renyi-c) -o "$2/consumer"
# A shared library in a prefix of its own is found this way.
LD_LIBRARY_PATH=$(pkg-config --variable=libdir renyi-c) "$2/consumer"
