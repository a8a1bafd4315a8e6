// A program outside the project that publishes sums with noise.
#include <renyi/noise.h>

#include <cstdio>
#include <vector>

int main() {
  std::vector<double> sums = {1017.5, 64.25};
  const renyi::noise::Release release = renyi::noise::gaussian(sums, sums, 10, {.grid = 0x1p-10});
  std::printf("%g %g; account for %s\n", sums[0], sums[1], release.step.c_str());
  return release.draws == sums.size() && release.grid == 0x1p-10 ? 0 : 1;
}
