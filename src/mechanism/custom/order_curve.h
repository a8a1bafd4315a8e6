// Curves for which only an upper bound on the divergence at each order is known: their base class, the curve of a
// user's function, and the curve of a pair of distributions whose loss distribution is not known.
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

// A curve for which only an upper bound on the divergence at each order is known; the bound may have any shape
// (docs/math/custom-mechanisms.md, "Bounds at orders").
class OrderCurve : public Curve {
 public:
  Knowledge knowledge() const final { return Knowledge::orders; }

 protected:
  OrderCurve() = default;

  // Returns D at an order in [1, largest_order] or infinity, with its error; infinite where nothing is known.
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

// A user's bound on the divergence at each order, checked at every call.
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

// A pair of distributions that is known by its divergences. Each may take a quadrature, so they are cached.
class PairCurve final : public OrderCurve {
 public:
  explicit PairCurve(DistributionPair pair);

  Law law() const override { return AnyPair{&remove_}; }

 private:
  Bounded divergence_of(double order, Direction direction) const override;

  DistributionPair add_;
  DistributionPair remove_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<double, Direction>, Bounded> known_;  // computed divergences by order and direction
};

}  // namespace renyi::mechanism
