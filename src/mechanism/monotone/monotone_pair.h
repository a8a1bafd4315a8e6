// A pair (P, Q) of laws on the line whose loss l(x) = ln(dP/dQ) never falls with x: what additive noise, sampled or
// not, comes down to (docs/math/sampled-pairs.md).
#pragma once

#include <cmath>
#include <limits>

#include "renyi/extras/curve.h"

namespace renyi::monotone {

// The pair at one point. Q's density and the loss have slopes
//     (ln q)' = base - down,   l' = up + down,
// in which `up` never falls with x, `down` and `base` never rise: their values at the ends of an interval bound the
// slopes within it.
struct PairPoint {
  double log_q = 0;
  double log_q_error = 0;  // absolute, as are the others
  double log_p = 0;        // log_q + loss, without what that loses where they cancel
  double log_p_error = 0;
  double loss = 0;
  double loss_error = 0;
  double base = 0;
  double up = 0;
  double down = 0;
  double rise = 0;  // l', where up + down would cancel

  double slope() const { return rise > 0 ? rise : up + down; }
};

// What is known of K far out, where exponents are beyond summation.
struct FarOut {
  double lower = 0;
  double upper = 0;
};

// How one pair is read: remove is (P, Q) and add (Q, P); or, closed to be the same both ways, only the part with l > 0
// counts, with loss l under P and its mirror image, loss -l under Q, and all mass that is left has loss 0.
enum class Reading { one_sided, symmetric };

// Immutable. Outside [first, last] the loss is constant: two atoms, of which Q's masses may be too small for a double
// where P's are not, so that only their logarithms are known.
class MonotonePair {
 public:
  virtual ~MonotonePair() = default;

  // Within [first, last]; for infinite ends, any finite x.
  virtual PairPoint at(double x) const = 0;
  double log_q(double x) const { return at(x).log_q; }
  double loss(double x) const { return at(x).loss; }
  // Where the loss is this, clamped to [first, last]; infinite beyond the losses there are.
  virtual double x_at(double loss) const;

  virtual double first() const { return -std::numeric_limits<double>::infinity(); }
  virtual double last() const { return std::numeric_limits<double>::infinity(); }
  virtual double log_mass_below() const { return -std::numeric_limits<double>::infinity(); }
  virtual double log_mass_above() const { return -std::numeric_limits<double>::infinity(); }
  bool has_atom_below() const { return std::isfinite(log_mass_below()); }
  bool has_atom_above() const { return std::isfinite(log_mass_above()); }

  // Infimum and supremum of the loss; infinite where it is unbounded.
  virtual Bounded largest_loss() const = 0;
  virtual Bounded largest_fall() const = 0;  // minus the smallest loss

  virtual double scale() const = 0;  // log_q bends on this length
  // Q's density rises up to here and falls beyond (counting from `zero` where only l > 0 counts).
  virtual double mode() const { return 0; }
  virtual double zero() const = 0;  // where the loss is 0

  // ln of at least the mass of Q or P above or below x, the atoms included.
  virtual double log_q_above(double x) const = 0;
  virtual double log_p_above(double x) const = 0;
  virtual double log_q_below(double x) const = 0;
  virtual double log_p_below(double x) const = 0;

  // Below and above these, what Q exp(power l) and Q l^2 have is beyond e^-70 of the whole.
  virtual double lowest(double power) const = 0;
  virtual double highest(double power) const = 0;
  // Up to this z exponents keep enough digits for quadrature.
  virtual double largest_z(Direction direction) const = 0;
  // Bounds of K for any z, and K(z) <= z (xi + rho (z+1)) in the larger direction.
  virtual FarOut far_out(double z, Direction direction) const = 0;
  virtual Growth growth() const = 0;
  // Whether K of remove is known to be the larger at every order.
  virtual bool remove_is_larger() const { return false; }
  // Whether P can be mixed with Q: ln Q is concave, up >= 0 and down <= 0.
  virtual bool can_be_mixed() const { return false; }

  Reading reading() const { return reading_; }
  bool is_symmetric() const { return reading_ == Reading::symmetric; }

 protected:
  explicit MonotonePair(Reading reading) : reading_(reading) {}
  MonotonePair(const MonotonePair&) = default;
  MonotonePair& operator=(const MonotonePair&) = default;

 private:
  Reading reading_;
};

}  // namespace renyi::monotone
