// Curves known by an upper bound on their divergence at each order: their base, those of a user's function, and those
// of a pair of laws whose loss is not known.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "mechanism/law.h"
#include "renyi/extras/curve.h"
#include "renyi/extras/divergence.h"

namespace renyi::mechanism {

// A curve known by an upper bound on its divergence at each order, which may have any shape
// (docs/math/custom-mechanisms.md, "Bounds at orders").
class OrderCurve : public Curve {
 public:
  Knowledge knowledge() const final { return Knowledge::orders; }

 protected:
  OrderCurve() = default;

  // D of an order in [1, largest_order] or infinity, with its error; infinite where nothing is known.
  virtual Bounded divergence_of(double order, Direction direction) const = 0;

 private:
  LogMoment real_at(double z, Direction direction) const final;
  ComplexLogMoment complex_at(std::complex<double> z, Direction direction) const final;
  Bounded max_loss_at(Direction direction) const final;

  struct Derivatives {
    double first = 0;
    double second = 0;
  };
  Derivatives derivatives(double order, double here, Direction direction) const;
};

// A user's bound on the divergence of each order, checked at every call.
class CallableCurve final : public OrderCurve {
 public:
  CallableCurve(std::string name, std::function<double(double)> divergence);

  bool is_symmetric() const override { return true; }

 private:
  Bounded divergence_of(double order, Direction direction) const override;

  double asked(double order) const;
  double by_chord(double order) const;

  std::string name_;
  std::function<double(double)> divergence_;
};

// A pair of laws known by its divergences, each of which may take a quadrature: they are remembered.
class PairCurve final : public OrderCurve {
 public:
  explicit PairCurve(DistributionPair pair);

  Law law() const override { return AnyPair{&remove_}; }

 private:
  Bounded divergence_of(double order, Direction direction) const override;

  DistributionPair add_;
  DistributionPair remove_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<double, Direction>, Bounded> known_;  // by order
};

}  // namespace renyi::mechanism
