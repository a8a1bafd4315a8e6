// Equally spaced nodes x_j = j h with all quantities of the Sampled Gaussian that do not depend on the order, and
// sequences of such lattices with halving steps (docs/math/sampled-gaussian.md, "Lattice").
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "renyi/extras/curve.h"

namespace renyi::sampled_gaussian {

// P = (1-q) N(0, s^2) + q N(1, s^2), Q = N(0, s^2), r = P/Q.
struct Params {
  double q;
  double s;

  Params(double sampling_rate, double noise_multiplier);

  double inv_2s2;       // 1/(2 s^2)
  long double log_q_l;  // ln q in extended precision, for exponents that nearly cancel
  double log_q;         // ln q
  double log_1mq;       // ln(1-q)
  double crossing;      // z1 = 1/2 + s^2 ln(1/q - 1): where the two parts of P are equal

  // Returns the weight of N(1, s^2) in P at x: q N1 / P, a logistic function of x.
  double membership(double x) const;
};

// Nodes x = (first + i) step. `p` and `q` are the weights h P(x) and h Q(x); `centred_p` is p R(-loss), `centred_q` is
// q R(loss) with R(y) = exp(y) - 1 - y. Quantities that take only a few operations are not stored but computed by the
// functions below; chunk-inl.h has the same functions for vectors.
struct Chunk {
  static constexpr int log2_size = 4;
  static constexpr int size = 1 << log2_size;
  using Column = std::array<double, size>;
  Column loss, p, centred_p, q, centred_q;
  Column rho;  // ln(1 + (1-q) N0 / (q N1)): loss = t + ln q + rho
  double first, step, inv_2s2, log_weight;

  // Roundings in one node besides those of exp(t): weights exp(-40), products, and the elementary functions, each of
  // which has an error of at most 4 (numerics/simd/functions-inl.h).
  static constexpr double base_noise = 48;
  // Largest |t| that enters the noise of a node; beyond it the loss is linear in t.
  static constexpr double most_tilt = 600;

  double x(std::size_t i) const { return (first + static_cast<double>(i)) * step; }  // exact: steps have few bits
  // Returns ln(h Q(x)), for where q itself may underflow.
  double log_q(std::size_t i) const { return log_weight - x(i) * x(i) * inv_2s2; }
  // Returns the relative rounding error of loss and weights, in units of 2^-53.
  double noise(std::size_t i) const { return base_noise + 4 * std::min(std::abs((2 * x(i) - 1) * inv_2s2), most_tilt); }
};

// Filled chunk by chunk on first use, once, and shared by all orders and threads.
class Lattice {
 public:
  Lattice(const Params& params, double step);
  ~Lattice();
  Lattice(const Lattice&) = delete;
  Lattice& operator=(const Lattice&) = delete;

  double step() const { return step_; }
  const Params& params() const { return params_; }
  double log_weight() const { return log_weight_; }  // ln(h / (s sqrt(2 pi)))

  // Returns the chunk of nodes [c size, (c+1) size). Near the origin it is stored; far out, or while another thread
  // fills it, it is computed into `scratch`.
  const Chunk& chunk(std::int64_t c, Chunk& scratch) const;

 private:
  // Chunks that are stored together. Most orders need only the chunks of the first page, around the origin; other
  // orders add small pages, because plans of many steps have many lattices.
  enum State : int { empty, being_filled, ready };
  template <int log2_size>
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): chunks are filled before they are read
  struct Page {
    static constexpr int size = 1 << log2_size;
    std::array<std::atomic<int>, size> states{};
    std::array<Chunk, size> chunks;
  };
  using FirstPage = Page<3>;
  using OtherPage = Page<2>;
  static constexpr std::int64_t first_of_first = -3, first_kept = first_of_first - 64, pages = 64;

  void fill(std::int64_t c, Chunk& chunk) const;
  OtherPage& page(std::size_t i) const;
  // Returns the chunk c in its page, filled if it was empty; a null pointer while another thread fills it.
  template <class AnyPage>
  const Chunk* kept(AnyPage& page, std::size_t i, std::int64_t c) const;

  Params params_;
  double step_;
  double log_weight_;
  mutable std::array<std::atomic<OtherPage*>, pages> others_{};
  mutable FirstPage first_;  // its chunks are filled before they are read
};

// Lattices of halving steps, each made on first use, once, and shared by threads.
class Lattices {
 public:
  explicit Lattices(const Params& params);
  ~Lattices();
  Lattices(const Lattices&) = delete;
  Lattices& operator=(const Lattices&) = delete;

  const Params& params() const { return base_.params(); }
  double base_step() const { return base_.step(); }
  // Level 0 is fine enough for real orders in direction remove; each further level has half the step.
  const Lattice& operator[](int level) const;
  // Returns the level that real orders need, which is the value of levels_needed(0, direction).
  int real_level(Direction direction) const { return direction == Direction::remove ? 0 : add_level_; }
  // Returns log2 of how much finer than level 0 the lattice must be for this imaginary part.
  double levels_needed(double imaginary, Direction direction) const;

  static constexpr int levels = 24;

 private:
  Lattice base_;
  int add_level_;
  mutable std::array<std::atomic<const Lattice*>, levels - 1> finer_{};
};

}  // namespace renyi::sampled_gaussian
