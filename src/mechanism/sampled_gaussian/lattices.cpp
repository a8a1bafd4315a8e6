#include "mechanism/sampled_gaussian/lattices.h"

#include <cmath>

#include "mechanism/sampled_gaussian/quadrature.h"

namespace renyi::sampled_gaussian {

namespace {

// Steps with few significant bits make every node x = j h exact.
double with_few_bits(double step) {
  int exponent = 0;
  const double fraction = std::frexp(step, &exponent);
  return std::ldexp(std::floor(fraction * 256) / 256, exponent);
}

}  // namespace

Lattices::Lattices(const Params& params)
    : params_(params), base_step_(with_few_bits(sufficient_step(params, 0, Direction::remove))) {}

const Lattice& Lattices::operator[](int level) const {
  const auto i = static_cast<std::size_t>(level);
  std::call_once(made_[i],
                 [&] { lattices_[i] = std::make_unique<const Lattice>(params_, std::ldexp(base_step_, -level)); });
  return *lattices_[i];
}

double Lattices::levels_needed(double imaginary, Direction direction) const {
  return std::log2(base_step_ / sufficient_step(params_, imaginary, direction));
}

}  // namespace renyi::sampled_gaussian
