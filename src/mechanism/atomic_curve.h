// A curve whose loss takes countably many values: what exact accounting reads off it beside K.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "numerics/mass.h"
#include "renyi/mechanism.h"

namespace renyi::mechanism {

// P's mass at one loss.
struct LossAtom {
  double loss = 0;
  double loss_error = 0;  // absolute
  numerics::Mass p{};     // relative error a few units

  bool operator==(const LossAtom&) const = default;
};

// ln of P's mass that the list leaves out, at most; -infinity: none.
struct LeftOut {
  double log_above = -std::numeric_limits<double>::infinity();  // losses above the last atom
  double log_below = -std::numeric_limits<double>::infinity();  // losses below the first
};

class AtomicCurve : public Curve {
 public:
  // Whether the atoms are few enough to list them; if not, only K may be asked for.
  virtual bool is_listed() const { return true; }
  // Ascending, no loss twice; as many as matter.
  virtual const std::vector<LossAtom>& atoms(Direction direction) const = 0;
  virtual LeftOut left_out(Direction /*direction*/) const { return {}; }
  // Whether the list is the whole law in both directions.
  virtual bool is_complete() const { return true; }
  // sup over events S of P(S) - exp(epsilon) Q(S).
  virtual Bounded hockey_stick(double epsilon, Direction direction) const = 0;
};

// Of the listed atoms; the upper end counts what is left out above as well.
Bounded listed_hockey_stick(const AtomicCurve& curve, double epsilon, Direction direction);

// That of a mechanism which has one and is not sampled; nothing for others.
std::shared_ptr<const AtomicCurve> atomic_curve_of(const Mechanism& mechanism);

}  // namespace renyi::mechanism
