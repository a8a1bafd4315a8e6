// The sections of docs/accuracy.md, each printed to standard output.
#pragma once

#include <cstdint>

namespace renyi::bench {

// Divergences of single mechanisms against certified ones, `points` in all.
void print_curves(std::uint64_t points, std::uint64_t seed);
// Exact epsilon and delta of random plans against certified ones.
void print_exact(std::uint64_t plans, std::uint64_t seed);
// Widths of exact intervals on random plans.
void print_widths(std::uint64_t plans, std::uint64_t seed);

}  // namespace renyi::bench
