#include "mechanism/sampled_gaussian/lattice.h"

#include <cmath>
#include <memory>
#include <numbers>

#include "mechanism/sampled_gaussian/kernels.h"
#include "mechanism/sampled_gaussian/quadrature.h"

namespace renyi::sampled_gaussian {

Params::Params(double sampling_rate, double noise_multiplier)
    : q(sampling_rate),
      s(noise_multiplier),
      inv_2s2(0.5 / noise_multiplier / noise_multiplier),
      log_q_l(std::log(static_cast<long double>(sampling_rate))),
      log_q(static_cast<double>(log_q_l)),
      log_1mq(std::log1p(-sampling_rate)),
      crossing(0.5 + noise_multiplier * noise_multiplier * (log_1mq - log_q)) {}

double Params::membership(double x) const { return 1 / (1 + std::exp((crossing - x) * 2 * inv_2s2)); }

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): chunks are filled before they are read
Lattice::Lattice(const Params& params, double step)
    : params_(params), step_(step), log_weight_(std::log(step / params.s / std::sqrt(2 * std::numbers::pi))) {}

Lattice::~Lattice() {
  for (auto& page : others_) delete page.load(std::memory_order_relaxed);
}

Lattice::OtherPage& Lattice::page(std::size_t i) const {
  auto& slot = others_[i];
  if (OtherPage* made_before = slot.load(std::memory_order_acquire)) return *made_before;
  // Two threads may make the same page; only one copy is kept.
  auto made = std::make_unique_for_overwrite<OtherPage>();
  OtherPage* expected = nullptr;
  if (slot.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return *made.release();
  return *expected;
}

template <class AnyPage>
const Chunk* Lattice::kept(AnyPage& page, std::size_t i, std::int64_t c) const {
  std::atomic<int>& state = page.states[i];
  int seen = state.load(std::memory_order_acquire);
  if (seen == ready) return &page.chunks[i];
  if (seen != empty || !state.compare_exchange_strong(seen, being_filled, std::memory_order_acquire)) return nullptr;
  fill(c, page.chunks[i]);
  state.store(ready, std::memory_order_release);
  return &page.chunks[i];
}

const Chunk& Lattice::chunk(std::int64_t c, Chunk& scratch) const {
  const Chunk* found = nullptr;
  if (const std::int64_t at = c - first_of_first; at >= 0 && at < FirstPage::size) {
    found = kept(first_, static_cast<std::size_t>(at), c);
  } else if (const std::int64_t far = c - first_kept; far >= 0 && far < pages * OtherPage::size) {
    found =
        kept(page(static_cast<std::size_t>(far / OtherPage::size)), static_cast<std::size_t>(far % OtherPage::size), c);
  }
  if (found != nullptr) return *found;
  fill(c, scratch);
  return scratch;
}

void Lattice::fill(std::int64_t c, Chunk& chunk) const {
  fill_nodes(params_, step_, log_weight_, c * Chunk::size, chunk);
}

namespace lattice_file {
namespace {

// Steps with few significant bits make every node x = j h exact.
double with_few_bits(double step) {
  int exponent = 0;
  const double fraction = std::frexp(step, &exponent);
  return std::ldexp(std::floor(fraction * 256) / 256, exponent);
}

}  // namespace
}  // namespace lattice_file

Lattices::Lattices(const Params& params)
    : base_(params, lattice_file::with_few_bits(sufficient_step(params, 0, Direction::remove))),
      add_level_(static_cast<int>(std::ceil(levels_needed(0, Direction::add) - 1e-3))) {}

Lattices::~Lattices() {
  for (auto& lattice : finer_) delete lattice.load(std::memory_order_relaxed);
}

const Lattice& Lattices::operator[](int level) const {
  if (level == 0) return base_;
  auto& slot = finer_[static_cast<std::size_t>(level - 1)];
  if (const Lattice* ready = slot.load(std::memory_order_acquire)) return *ready;
  // Two threads may make the same lattice; only one copy is kept.
  auto made = std::make_unique<const Lattice>(params(), std::ldexp(base_step(), -level));
  const Lattice* expected = nullptr;
  if (slot.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return *made.release();
  return *expected;
}

double Lattices::levels_needed(double imaginary, Direction direction) const {
  return std::log2(base_step() / sufficient_step(params(), imaginary, direction));
}

}  // namespace renyi::sampled_gaussian
