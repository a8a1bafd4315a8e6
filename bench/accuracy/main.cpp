// Measures the accuracy of floating-point answers: writes docs/accuracy.md to standard output.
// Usage: accuracy [POINTS] [CERTIFIED_PLANS] [PLANS] [SEED]
#include <fmt/format.h>

#include <cstdlib>

#include "accuracy/sections.h"
#include "renyi/extras/certify.h"

namespace {

std::uint64_t argument(int argc, char** argv, int which, std::uint64_t otherwise) {
  return argc > which ? std::strtoull(argv[which], nullptr, 10) : otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t points = argument(argc, argv, 1, 500), certified = argument(argc, argv, 2, 10),
                      plans = argument(argc, argv, 3, 200), seed = argument(argc, argv, 4, 1);
  fmt::print(
      "# Accuracy\n\n"
      "Written by `build/bench/accuracy {} {} {} {}` (divergences and plans that are certified, plans whose intervals "
      "are\nmeasured, seed). The judge of the first two sections is ball arithmetic, Arb {}, which shares no code "
      "with what it\njudges ([math/certified-numbers.md](math/certified-numbers.md)).\n\n",
      points, certified, plans, seed, renyi::arb_version_used());
  renyi::bench::print_curves(points, seed);
  renyi::bench::print_exact(certified, seed);
  renyi::bench::print_widths(plans, seed);
}
