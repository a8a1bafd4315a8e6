// Equally spaced nodes x_j = j h with everything about the Sampled Gaussian that
// does not depend on the order. Filled chunk by chunk on first use, once, and
// shared by all orders and threads (docs/math/sampled-gaussian.md, "Lattice").
#pragma once

#include <array>
#include <atomic>
#include <memory>

namespace renyi::sampled_gaussian {

// P = (1-q) N(0, s^2) + q N(1, s^2), Q = N(0, s^2), r = P/Q.
struct Params {
  double q;
  double s;

  Params(double sampling_rate, double noise_multiplier);

  double inv_2s2;       // 1/(2 s^2)
  double log_q;         // ln q
  double log_1mq;       // ln(1-q)
  double crossing;      // z1 = 1/2 + s^2 ln(1/q - 1): where the two parts of P are equal
  long double log_q_l;  // ln q to more digits, for exponents that nearly cancel

  // Weight of N(1, s^2) in P at x: q N1 / P, a logistic function of x.
  double membership(double x) const;
};

// Node data. `p` and `q` are the weights h P(x) and h Q(x); `centred_p` is
// p R(-loss), `centred_q` is q R(loss) with R(y) = exp(y) - 1 - y.
struct Chunk {
  static constexpr int log2_size = 5;
  static constexpr int size = 1 << log2_size;
  using Column = std::array<double, size>;
  Column x, loss, p, centred_p, q, centred_q;
  Column log_q;  // ln(h Q(x)), where q itself may underflow
  Column rho;    // ln(1 + (1-q) N0 / (q N1)): loss = t + ln q + rho
  Column noise;  // relative rounding error of loss and weights, in units of 2^-53
};

class Lattice {
 public:
  Lattice(const Params& params, double step);
  ~Lattice();
  Lattice(const Lattice&) = delete;
  Lattice& operator=(const Lattice&) = delete;

  double step() const { return step_; }
  const Params& params() const { return params_; }
  double log_weight() const { return log_weight_; }  // ln(h / (s sqrt(2 pi)))

  // The chunk of nodes [c size, (c+1) size). Near the origin it is kept; far out it
  // is computed into `scratch`.
  const Chunk& chunk(long c, Chunk& scratch) const;

 private:
  static constexpr long first_kept = -64, end_kept = 192;

  void fill(long c, Chunk& chunk) const;
  void fill_node(double x, std::size_t i, Chunk& chunk) const;
  void fill_near(double t, std::size_t i, Chunk& chunk) const;
  void fill_far(double t, std::size_t i, Chunk& chunk) const;

  Params params_;
  double step_;
  double log_weight_;
  mutable std::array<std::atomic<const Chunk*>, end_kept - first_kept> kept_{};
};

}  // namespace renyi::sampled_gaussian
