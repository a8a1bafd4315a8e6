#include "certify/figure.h"

#include "renyi/error.h"

namespace renyi::certify {
namespace {

constexpr long most_bits = 8192;
constexpr long kept_bits = 80;  // of the ends

struct Aim {
  long first_bits = 0;
  double relative_radius = 0;
  double margin = 0;  // relative
};
constexpr Aim stated{.first_bits = 128, .relative_radius = 1e-15, .margin = 4e-15};
constexpr Aim verifying{.first_bits = 192, .relative_radius = 1e-17, .margin = 0};

bool is_exact(const Ball& value) { return arb_is_exact(value.raw()) != 0 && arf_is_nan(arb_midref(value.raw())) == 0; }

Enclosure enclosure(const Ball& value, double margin) {
  if (is_exact(value)) return enclosure_of(value, kept_bits);
  return enclosure_of(value * Ball(1).widen(margin), kept_bits);
}

}  // namespace

Certified certified_figure(const std::function<Ball()>& figure, Route route, std::string method, const char* what) {
  const Aim& aim = route == Route::first ? stated : verifying;
  for (long bits = aim.first_bits; bits <= most_bits; bits *= 2) {
    const Precision precision(bits);
    const Ball value = figure();
    if (!is_exact(value) && !(value.relative_radius() <= aim.relative_radius)) continue;
    return {.value = enclosure(value, aim.margin), .method = std::move(method), .precision = bits};
  }
  throw NotConverged(std::string(what) + ": no narrow enclosure within " + std::to_string(most_bits) + " bits");
}

}  // namespace renyi::certify
