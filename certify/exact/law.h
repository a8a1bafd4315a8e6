// The distribution of the composed loss in one direction, as far as delta depends on it. There is one file per engine.
#pragma once

#include <memory>
#include <string>

#include "certify/ball/ball.h"
#include "certify/exact/operating_point.h"

namespace renyi::certify {

class Law {
 public:
  virtual ~Law() = default;
  // Encloses delta(epsilon) = E_P[(1 - exp(epsilon - L))_+] at any real epsilon (an exact ball).
  virtual Ball delta(const Ball& epsilon) const = 0;
  virtual std::string method() const = 0;
  // Returns the precision of the arithmetic in bits.
  virtual std::int64_t precision() const { return Precision::bits(); }
};

// Each returns nullptr if it does not support the steps. `tolerance` is the relative width to aim for.
std::unique_ptr<Law> closed_form_law(const Steps& steps, Direction direction, Route route);
std::unique_ptr<Law> contour_law(const Steps& steps, Direction direction, const OperatingPoint& operating_point,
                                 double tolerance, Route route);
std::unique_ptr<Law> lattice_law(const Steps& steps, Direction direction, const OperatingPoint& operating_point,
                                 double tolerance, Route route);

}  // namespace renyi::certify
