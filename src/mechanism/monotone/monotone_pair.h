// A pair (P, Q) of distributions on the real line whose loss l(x) = ln(dP/dQ) never falls with x. Additive noise,
// sampled or not, reduces to such pairs (docs/math/sampled-pairs.md).
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
  double log_q_error = 0;  // absolute, as all errors of this struct
  double log_p = 0;        // log_q + loss, computed without the cancellation of that sum
  double log_p_error = 0;
  double loss = 0;
  double loss_error = 0;
  double base = 0;
  double up = 0;
  double down = 0;
  double rise = 0;  // l', for where up + down would cancel

  double slope() const { return rise > 0 ? rise : up + down; }
};

// Bounds on K for large z, where the exponents are beyond the range of summation.
struct FarOut {
  double lower = 0;
  double upper = 0;
};

// How one pair is interpreted. one_sided: remove is (P, Q) and add is (Q, P). symmetric: the pair is made the same in
// both directions; only the part with l > 0 counts, with loss l under P and its mirror image, loss -l under Q, and all
// remaining mass has loss 0.
enum class Reading { one_sided, symmetric };

// Immutable. Outside [first, last] the loss is constant: these are two atoms. Q's masses of them may be too small for a
// double where P's are not, so that only their logarithms are known.
class MonotonePair {
 public:
  virtual ~MonotonePair() = default;

  // Returns the pair at x in [first, last]; for infinite ends, any finite x.
  virtual PairPoint at(double x) const = 0;
  double log_q(double x) const { return at(x).log_q; }
  double loss(double x) const { return at(x).loss; }
  // Returns where the loss has this value, clamped to [first, last]; infinite for a value outside the range of the
  // loss.
  virtual double x_at(double loss) const;

  virtual double first() const { return -std::numeric_limits<double>::infinity(); }
  virtual double last() const { return std::numeric_limits<double>::infinity(); }
  virtual double log_mass_below() const { return -std::numeric_limits<double>::infinity(); }
  virtual double log_mass_above() const { return -std::numeric_limits<double>::infinity(); }
  bool has_atom_below() const { return std::isfinite(log_mass_below()); }
  bool has_atom_above() const { return std::isfinite(log_mass_above()); }

  // The supremum of the loss, and minus its infimum; infinite where the loss is unbounded.
  virtual Bounded largest_loss() const = 0;
  virtual Bounded largest_fall() const = 0;  // minus the smallest loss

  virtual double scale() const = 0;  // length on which log_q bends
  // Returns where Q's density is largest: it rises up to here and falls beyond (counting from `zero` where only l > 0
  // counts).
  virtual double mode() const { return 0; }
  virtual double zero() const = 0;  // where the loss is 0

  // Return ln of an upper bound on the mass of Q or P above or below x, the atoms included.
  virtual double log_q_above(double x) const = 0;
  virtual double log_p_above(double x) const = 0;
  virtual double log_q_below(double x) const = 0;
  virtual double log_p_below(double x) const = 0;

  // Below and above these points, Q exp(power l) and Q l^2 have less than e^-70 of the whole.
  virtual double lowest(double power) const = 0;
  virtual double highest(double power) const = 0;
  // Up to this z exponents keep enough digits for quadrature.
  virtual double largest_z(Direction direction) const = 0;
  // Bounds K for any z; and K(z) <= z (xi + rho (z+1)) in the larger direction.
  virtual FarOut far_out(double z, Direction direction) const = 0;
  virtual Growth growth() const = 0;
  // True if K of remove is known to be at least K of add at every order.
  virtual bool remove_is_larger() const { return false; }
  // True if the pair is symmetric as it stands, Q being the mirror image of P about `zero`: no mass then has loss 0.
  virtual bool is_mirror_image() const { return false; }
  // True if P can be mixed with Q: ln Q is concave, up >= 0 and down <= 0.
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
