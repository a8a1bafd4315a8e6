// A program outside the project. Three runs of Gaussian noise of standard
// deviation 2 have the divergence 3 a / (2 * 2^2) at order a: 1.5 at order 4.
#include <renyi/renyi.h>

#include <array>
#include <cmath>
#include <cstdio>

int main() {
  const renyi::Plan plan = renyi::read_plan(
      R"({"renyi":1,"neighbors":"replace-one","steps":[{"mechanism":"gaussian","noise_multiplier":2,"count":3}]})");
  const double divergence = renyi::rdp(plan, std::array{4.0}).front().value;
  std::printf("renyi %s: divergence of order 4 is %.6f\n", renyi::version.data(), divergence);
  return std::abs(divergence - 1.5) < 1e-9 ? 0 : 1;
}
