// Print the sections of docs/accuracy.md to standard output.
#pragma once

#include <cstdint>

namespace renyi::bench {

// Compares divergences of single mechanisms with certified ones, at `points` points in total.
void print_curves(std::uint64_t points, std::uint64_t seed);
// Compares exact epsilon and delta of random plans with certified ones.
void print_exact(std::uint64_t plans, std::uint64_t seed);
// Measures the widths of exact intervals of random plans.
void print_widths(std::uint64_t plans, std::uint64_t seed);

}  // namespace renyi::bench
