// The curve of the Sampled Gaussian Mechanism for 0 < q < 1: lattices of halving steps, each computed once, and the
// sums of quadrature.h over them.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>

#include "mechanism/law.h"
#include "mechanism/sampled_gaussian/lattice.h"
#include "renyi/extras/curve.h"

namespace renyi::sampled_gaussian {

// Caches the last few real points of a curve: a search ends where the next one begins, and a vertical line starts from
// K at its real part. Safe to use from several threads.
class MomentMemory {
 public:
  std::optional<LogMoment> find(double z, Direction direction) const {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_) {
      if (entry.z == z && entry.direction == direction) return entry.k;
    }
    return std::nullopt;
  }

  void keep(double z, Direction direction, const LogMoment& k) {
    const std::lock_guard lock(mutex_);
    entries_[next_] = {z, direction, k};
    next_ = (next_ + 1) % entries_.size();
  }

 private:
  struct Entry {
    double z = -1;  // no order
    Direction direction = Direction::remove;
    LogMoment k{};
  };
  mutable std::mutex mutex_;
  std::array<Entry, 8> entries_{};
  std::size_t next_ = 0;
};

class SampledGaussianCurve final : public Curve {
 public:
  SampledGaussianCurve(double sampling_rate, double noise_multiplier, Knowledge knowledge = Knowledge::loss);

  Knowledge knowledge() const override { return knowledge_; }

  // docs/math/sampled-gaussian.md, "Directions".
  std::optional<Direction> larger_direction() const override { return Direction::remove; }
  mechanism::Law law() const override { return mechanism::SampledNormal{params_.q, params_.s}; }
  Growth growth() const override;

 private:
  LogMoment real_at(double z, Direction direction) const override;
  ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const override;
  Bounded max_loss_at(Direction direction) const override;

  Bounded chernoff_at(double a, Direction direction) const override;
  Cumulants cumulants_at(Direction direction) const override;
  std::unique_ptr<const VerticalLine> line_at(double c, Direction direction) const override;

  // True if the lattice can evaluate K at this z: nodes near x = z + 1 are exact, and the exponents are small enough
  // that the Gaussian's exponent is not lost in rounding. Beyond it the curve is only bounded.
  bool within_lattice(double z, Direction direction) const;
  LogMoment far_out_remove(double z) const;
  LogMoment at_most_the_loss(double z) const;
  LogMoment far_out_add(double z) const;

  LogMoment summed(double z, Direction direction) const;
  int level_for(double imaginary, Direction direction) const;

  Params params_;
  Knowledge knowledge_;
  Lattices lattices_;
  mutable MomentMemory memory_;
};

}  // namespace renyi::sampled_gaussian
