// Events on a sample of the records.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "convert/event.h"
#include "convert/noise.h"
#include "convert/on_sample.h"
#include "renyi/error.h"

namespace renyi::convert {
namespace {

constexpr std::string_view rate_key = "sampling_probability";
constexpr std::string_view noise_key = "noise_multiplier";

bool is_non_private(const Part& part) { return !part.mechanism; }

// Shown with any probability, a record is shown: the divergences are infinite.
Parts sampled(const Event& event, const Parts& parts, const Sampling& sampling, Neighbors neighbors) {
  if (parts.empty()) return {};
  const auto shown = std::find_if(parts.begin(), parts.end(), is_non_private);
  if (shown != parts.end()) return {*shown};
  return {on_sample(parts, sampling, {event.path(), event.at("event").path(), neighbors})};
}

// How many records there are, and how many are drawn.
struct Sizes {
  double dataset = 0, sample = 0;
};

double read_size(const json::Field& field, std::int64_t least, std::int64_t most) {
  return static_cast<double>(field.integer(least, most));
}

Sizes read_sizes(const Event& event) {
  const auto most = static_cast<std::int64_t>(parameters(Scheme::fixed_size)[0].highest);
  return {read_size(event.at("source_dataset_size"), 1, most), read_size(event.at("sample_size"), 0, most)};
}

}  // namespace

Parts read_poisson_sampled(const Event& event, Neighbors neighbors) {
  const double rate = read_parameter(event.at(rate_key), rate_key, SampledGaussian::parameters()[0]);
  Parts parts = read_event(event.at("event"), neighbors);
  if (rate == 0) return {};
  if (rate == 1) return parts;
  return sampled(event, parts, Sampling::poisson(rate), neighbors);
}

Parts read_sampled_without_replacement(const Event& event, Neighbors neighbors) {
  const Sizes sizes = read_sizes(event);
  Parts parts = read_event(event.at("event"), neighbors);
  if (sizes.sample > sizes.dataset) {
    event.at("sample_size").refuse(fmt::format("at most the source_dataset_size, {}", sizes.dataset));
  }
  if (sizes.sample == 0) return {};
  // With as many records in both datasets all of them are taken; with one more, one is left out.
  if (sizes.sample == sizes.dataset && neighbors != Neighbors::add_or_remove_one) return parts;
  return sampled(event, parts, Sampling::fixed_size(sizes.dataset, sizes.sample), neighbors);
}

Parts read_sampled_with_replacement(const Event& event, Neighbors neighbors) {
  const Sizes sizes = read_sizes(event);
  const Parts parts = read_event(event.at("event"), neighbors);
  if (sizes.sample == 0) return {};
  return sampled(event, parts, Sampling::with_replacement(sizes.dataset, sizes.sample), neighbors);
}

Parts read_truncated_gaussian(const Event& event, Neighbors neighbors) {
  const auto most = static_cast<std::int64_t>(parameters(Scheme::truncated_poisson)[1].highest);
  const double dataset = read_size(event.at("dataset_size"), 1, most);
  const double rate = read_parameter(event.at(rate_key), rate_key, SampledGaussian::parameters()[0]);
  const double limit = read_size(event.at("truncated_batch_size"), 0, most);
  const double noise = read_noise(event.at(noise_key), noise_key, Gaussian::parameters()[0]);
  if (rate == 0 || limit == 0) return {};
  if (noise == 0) return {{std::nullopt, 1, event.path()}};
  const Parts inside{{gaussian_of(noise, neighbors), 1, event.path()}};
  return {on_sample(inside, Sampling::truncated_poisson(rate, dataset, limit),
                    {event.path(), event.at(noise_key).path(), neighbors})};
}

}  // namespace renyi::convert
