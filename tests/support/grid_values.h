// Draws with given bits: numbers on a grid of 1, and whole numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "certify/ball/ball.h"
#include "noise/grid.h"
#include "noise/integer_laws.h"
#include "noise/integers.h"
#include "noise/kernels/kernels.h"

namespace renyi::test {

class GridValues : public noise::GridInput {
 public:
  explicit GridValues(std::vector<double> values) : values_(std::move(values)) {}
  [[nodiscard]] std::size_t size() const override { return values_.size(); }
  void fixed(std::size_t first, std::size_t count, const noise::FixedValues& fixed) const override {
    std::vector<double> part(count);
    for (std::size_t i = 0; i < count && first + i < values_.size(); ++i) part[i] = values_[first + i];
    noise::to_fixed(part.data(), count, 1, 0x1p51, fixed);
  }
  [[nodiscard]] certify::Ball exact(std::size_t index) const override { return {values_[index]}; }

 private:
  std::vector<double> values_;
};

// round(x + noise) for each x.
template <class Law>
std::vector<std::int64_t> drawn_on_grid(noise::Bits& bits, std::vector<double> x, const noise::Scale& scale) {
  std::vector<std::int64_t> result(x.size());
  noise::draw_on_grid<Law>(bits, GridValues(std::move(x)), scale,
                           [&](std::size_t first, std::span<const std::int64_t> drawn) {
                             std::copy(drawn.begin(), drawn.end(), result.data() + first);
                           });
  return result;
}

template <class Law>
std::vector<std::int64_t> drawn_integers(noise::Bits& bits, std::size_t count, const Law& law) {
  std::vector<std::int64_t> result(count);
  noise::draw_integers(bits, count, law, [&](std::size_t first, std::span<const std::int64_t> drawn) {
    std::copy(drawn.begin(), drawn.end(), result.data() + first);
  });
  return result;
}

}  // namespace renyi::test
