// Events on a Poisson sample.
#include <fmt/format.h>

#include <algorithm>

#include "convert/event.h"
#include "convert/noise.h"
#include "renyi/error.h"

namespace renyi::convert {
namespace {

bool is_non_private(const Part& part) { return !part.mechanism; }

void require_gaussians(const Parts& parts) {
  for (const Part& part : parts) {
    if (part.mechanism->get_if<Gaussian>() != nullptr) continue;
    throw Unsupported(part.path,
                      fmt::format("of Poisson samples only Gaussian noise is analysed, not {}", part.mechanism->kind()),
                      "use GaussianDpEvents inside PoissonSampledDpEvent");
  }
}

void check_neighbors(const Event& event, Neighbors neighbors) {
  try {
    SampledGaussian::check_neighbors(neighbors);
  } catch (const Unsupported& error) {
    throw Unsupported(event.path(), error.why(), error.instead());
  }
}

Part sampled(const Parts& gaussians, double rate, const Event& event) {
  const double noise = joint_noise_below(gaussians);
  const Parameter& range = SampledGaussian::parameters()[1];
  if (!range.allows(noise)) {
    throw InvalidArgument(event.at("event").path(), fmt::format("a joint noise_multiplier of {}", noise),
                          fmt::format("{}, where a Poisson sample is taken", range.allowed()));
  }
  return {SampledGaussian{rate, noise}, 1, event.path()};
}

}  // namespace

Parts read_poisson_sampled(const Event& event, Neighbors neighbors) {
  constexpr std::string_view rate_key = "sampling_probability";
  const double rate = read_parameter(event.at(rate_key), rate_key, SampledGaussian::parameters()[0]);
  Parts parts = read_event(event.at("event"), neighbors);
  if (rate == 0 || parts.empty()) return {};
  if (rate == 1) return parts;
  // Shown with any probability, a record is shown: the divergences are infinite.
  const auto shown = std::find_if(parts.begin(), parts.end(), is_non_private);
  if (shown != parts.end()) return {*shown};
  require_gaussians(parts);
  check_neighbors(event, neighbors);
  return {sampled(parts, rate, event)};
}

}  // namespace renyi::convert
