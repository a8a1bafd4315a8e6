// The interface of every family of pairs, and the checks that several families share.
#pragma once

#include <memory>
#include <string>

#include "renyi/interval.h"

namespace renyi::divergence_detail {

// Orders are shifted by 1 so that those next to 0 and 1 stay exact.
class PairModel {
 public:
  virtual ~PairModel() = default;

  // Returns D of order 1 + z for z in [-1/2, 1e100] or infinity; z = 0 is Kullback-Leibler.
  virtual Bounded renyi(double z) const = 0;
  // epsilon in [0, inf]
  virtual Bounded hockey_stick(double epsilon) const = 0;
  virtual std::shared_ptr<const PairModel> swapped() const = 0;
  // Returns the pair ((1-rate) Q + rate P, Q), 0 < rate < 1, or a null pointer where it is not known.
  virtual std::shared_ptr<const PairModel> mixed(double /*rate*/) const { return nullptr; }

 protected:
  PairModel() = default;
  PairModel(const PairModel&) = default;
  PairModel& operator=(const PairModel&) = default;
};

// A mean or location: -1e50 to 1e50.
void check_location(const std::string& field, double value);
// A standard deviation or scale: 1e-50 to 1e50.
void check_scale(const std::string& field, double value);

}  // namespace renyi::divergence_detail
