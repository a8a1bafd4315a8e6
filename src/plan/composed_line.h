// The vertical line of a sum of curves.
#pragma once

#include <memory>
#include <vector>

#include "renyi/curve.h"

namespace renyi::plan {

struct CountedLine {
  std::unique_ptr<const VerticalLine> line;
  double count = 1;
};

class ComposedLine final : public VerticalLine {
 public:
  explicit ComposedLine(std::vector<CountedLine> parts);

  ComplexLogMoment log_phi(double y) const override;
  void log_phis(double first, double step, std::span<ComplexLogMoment> values) const override;
  double shift_error() const override;
  double decay(double y) const override;
  double decay_beyond(double y) const override;
  double cost(double y) const override;
  std::size_t distinct_steps() const override { return parts_.size(); }

 private:
  template <class Ask>
  double sum(const Ask& ask) const;

  // How often the cheap parts alone leave something of phi in [y, 2y], about.
  double visible_share(double y) const;

  std::vector<CountedLine> parts_;  // cheap ones first
  std::size_t cheap_ = 0;           // how many
  double cheap_steps_ = 0;
};

}  // namespace renyi::plan
