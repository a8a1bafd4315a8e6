#include "mechanism/sampled_gaussian/lattices.h"

#include <cmath>
#include <memory>

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
    : base_(params, with_few_bits(sufficient_step(params, 0, Direction::remove))),
      add_level_(static_cast<int>(std::ceil(levels_needed(0, Direction::add) - 1e-3))) {}

Lattices::~Lattices() {
  for (auto& lattice : finer_) delete lattice.load(std::memory_order_relaxed);
}

const Lattice& Lattices::operator[](int level) const {
  if (level == 0) return base_;
  auto& slot = finer_[static_cast<std::size_t>(level - 1)];
  if (const Lattice* ready = slot.load(std::memory_order_acquire)) return *ready;
  // Two threads may make the same lattice; one is kept.
  auto made = std::make_unique<const Lattice>(params(), std::ldexp(base_step(), -level));
  const Lattice* expected = nullptr;
  if (slot.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return *made.release();
  return *expected;
}

double Lattices::levels_needed(double imaginary, Direction direction) const {
  return std::log2(base_step() / sufficient_step(params(), imaginary, direction));
}

}  // namespace renyi::sampled_gaussian
