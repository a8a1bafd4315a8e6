// An interface that some vertical lines have in addition: decay bounded more closely, which takes longer to compute.
#pragma once

#include "renyi/extras/curve.h"

namespace renyi::mechanism {

class CloseDecay {
 public:
  // These functions return what `decay` and `decay_beyond` of VerticalLine return, or smaller upper bounds.
  [[nodiscard]] virtual double close_decay(double y) const = 0;
  [[nodiscard]] virtual double close_decay_beyond(double y) const = 0;

 protected:
  CloseDecay() = default;
  CloseDecay(const CloseDecay&) = default;
  CloseDecay& operator=(const CloseDecay&) = default;
  ~CloseDecay() = default;
};

// Lines without the interface have one bound only.
inline double close_decay(const VerticalLine& line, double y) {
  const auto* close = dynamic_cast<const CloseDecay*>(&line);
  return close ? close->close_decay(y) : line.decay(y);
}
inline double close_decay_beyond(const VerticalLine& line, double y) {
  const auto* close = dynamic_cast<const CloseDecay*>(&line);
  return close ? close->close_decay_beyond(y) : line.decay_beyond(y);
}

}  // namespace renyi::mechanism
