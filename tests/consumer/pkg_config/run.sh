#!/bin/bash
# Builds the consumer by its Makefile into the directory given, and runs it.
set -euo pipefail

rm -rf "$1"
make --no-print-directory -C "$(dirname "$0")" OUT="$1"
# A shared library in a prefix of its own is found this way.
LD_LIBRARY_PATH=$(pkg-config --variable=libdir renyi) "$1/consumer"
