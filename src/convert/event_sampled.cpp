// Events on a sample of the records. All that runs on one sample is analysed as a single mechanism.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "convert/event.h"
#include "numerics/rounding.h"
#include "renyi/error.h"

namespace renyi::convert {
namespace event_sampled_file {
namespace {

constexpr std::string_view rate_key = "sampling_probability";
constexpr std::string_view noise_key = "noise_multiplier";

// The paths of the sampled event and of the event inside it.
struct SampledPlace {
  std::string path;
  std::string inside;
  Neighbors neighbors = Neighbors::add_or_remove_one;
};

bool is_gaussian(const RecordedStep& part) { return part.mechanism.get_if<Gaussian>().has_value(); }

// Gaussian queries on one sample are one query on it. Returns the noise multiplier of that query, which is never above
// 1 / sqrt(sum of count / noise^2). Every part is a Gaussian made by `gaussian_of`. The queries f_i / (s_i C_i)
// together have unit noise, and a record moves them by at most sqrt(sum 1/s_i^2) (docs/format/convert.md).
double joint_noise_below(std::span<const RecordedStep> gaussians) {
  double squares = 0;
  for (const RecordedStep& part : gaussians) {
    const double noise = part.mechanism.get_if<Gaussian>()->stddev;
    if (gaussians.size() == 1 && part.count == 1) return noise;
    const double inverse = numerics::quotient_up(1, noise);
    const double square = numerics::product_up(inverse, inverse);
    squares = numerics::sum_up(squares, numerics::product_up(numerics::count_up(part.count), square));
  }
  return numerics::quotient_down(1, numerics::sqrt_up(squares));
}

Mechanism joint_gaussian(const RecordedSteps& gaussians, const Sampling& sampling, const SampledPlace& place) {
  const double noise = joint_noise_below(gaussians);
  const Parameter& range = parameter_of(SampledGaussian::kind, "noise_multiplier");
  if (!range.allows(noise)) {
    throw InvalidArgument(place.inside, fmt::format("a joint noise_multiplier of {}", noise),
                          fmt::format("{}, where a sample is taken", range.allowed()));
  }
  if (sampling.scheme == Scheme::poisson) return SampledGaussian{sampling.rate, noise};
  return Mechanism(Gaussian{noise, 1}).sampled_by(sampling);
}

// A randomized response answers for one record: on a sample of fixed size every answer belongs to some record. With
// other sampling schemes the presence of an answer reveals who was sampled, and a record that is drawn twice answers
// twice.
void check_response(const RecordedStep& part, const Sampling& sampling) {
  if (!part.mechanism.get_if<RandomizedResponse>() || sampling.scheme == Scheme::fixed_size) return;
  throw Unsupported(part.path,
                    fmt::format("randomized response on a {} sample shows who is in it, or answers more than once",
                                to_string(sampling.scheme)),
                    "use SampledWithoutReplacementDpEvent under replace-one");
}

Mechanism single_step(const RecordedSteps& parts, const Sampling& sampling, const SampledPlace& place) {
  const auto other = std::find_if_not(parts.begin(), parts.end(), is_gaussian);
  if (other->mechanism.sampling() != nullptr || other->mechanism.get_if<SampledGaussian>().has_value()) {
    throw Unsupported(other->path, "a sample of a sample is not analysed", "multiply the rates of Poisson samples");
  }
  if (const std::string_view why_not = other->mechanism.sampling_obstacle(); !why_not.empty()) {
    throw Unsupported(other->path, fmt::format("{} on a sample is not analysed", other->mechanism.kind()),
                      std::string(why_not));
  }
  if (parts.size() > 1 || other->count > 1) {
    throw Unsupported(other->path,
                      fmt::format("several steps on one sample are one mechanism, and {} is analysed by itself only",
                                  other->mechanism.kind()),
                      "put one step, or GaussianDpEvents, on a sample");
  }
  check_response(*other, sampling);
  try {
    return other->for_one_record.value_or(other->mechanism).sampled_by(sampling);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(place.path, error.value(), error.allowed());
  }
}

// A step that reveals the records also reveals everything that other steps compute from them, so it is used alone.
// Gaussians on one sample are combined into one Gaussian, and a single step is used as it is. Throws Unsupported for
// anything else.
Mechanism one_step(const RecordedSteps& parts, const Sampling& sampling, const SampledPlace& place) {
  const auto shows = [](const RecordedStep& part) { return is_non_private(part.mechanism); };
  if (std::any_of(parts.begin(), parts.end(), shows)) return non_private().sampled_by(sampling);
  const bool gaussians = std::all_of(parts.begin(), parts.end(), is_gaussian);
  return gaussians ? joint_gaussian(parts, sampling, place) : single_step(parts, sampling, place);
}

// Requires at least one part.
RecordedStep on_sample(const RecordedSteps& parts, const Sampling& sampling, const SampledPlace& place) {
  RecordedStep part{one_step(parts, sampling, place), 1, place.path};
  check_analysed(part, place.neighbors);
  return part;
}

RecordedSteps sampled(const Event& event, const RecordedSteps& parts, const Sampling& sampling, Neighbors neighbors) {
  if (parts.empty()) return {};
  return {on_sample(parts, sampling, {event.path(), event.at("event").path(), neighbors})};
}

// The number of records, and the number of records drawn.
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
}  // namespace event_sampled_file

RecordedSteps read_poisson_sampled(const Event& event, Neighbors neighbors) {
  const double rate = read_parameter(event.at(event_sampled_file::rate_key), event_sampled_file::rate_key,
                                     parameter_of(SampledGaussian::kind, "sampling_rate"));
  RecordedSteps parts = read_event(event.at("event"), neighbors);
  if (rate == 0) return {};
  if (rate == 1) return parts;
  return event_sampled_file::sampled(event, parts, Sampling::poisson(rate), neighbors);
}

RecordedSteps read_sampled_without_replacement(const Event& event, Neighbors neighbors) {
  const event_sampled_file::Sizes sizes = event_sampled_file::read_sizes(event);
  RecordedSteps parts = read_event(event.at("event"), neighbors);
  if (sizes.sample > sizes.dataset) {
    event.at("sample_size").refuse(fmt::format("at most the source_dataset_size, {}", sizes.dataset));
  }
  if (sizes.sample == 0) return {};
  // If both datasets have the same number of records, all of them are drawn; with one record more, one is left out.
  if (sizes.sample == sizes.dataset && neighbors != Neighbors::add_or_remove_one) return parts;
  return event_sampled_file::sampled(event, parts, Sampling::fixed_size(sizes.dataset, sizes.sample), neighbors);
}

RecordedSteps read_sampled_with_replacement(const Event& event, Neighbors neighbors) {
  const event_sampled_file::Sizes sizes = event_sampled_file::read_sizes(event);
  const RecordedSteps parts = read_event(event.at("event"), neighbors);
  if (sizes.sample == 0) return {};
  return event_sampled_file::sampled(event, parts, Sampling::with_replacement(sizes.dataset, sizes.sample), neighbors);
}

RecordedSteps read_truncated_gaussian(const Event& event, Neighbors neighbors) {
  const auto most = static_cast<std::int64_t>(parameters(Scheme::truncated_poisson)[1].highest);
  const double dataset = event_sampled_file::read_size(event.at("dataset_size"), 1, most);
  const double rate = read_parameter(event.at(event_sampled_file::rate_key), event_sampled_file::rate_key,
                                     parameter_of(SampledGaussian::kind, "sampling_rate"));
  const double limit = event_sampled_file::read_size(event.at("truncated_batch_size"), 0, most);
  const double noise = read_noise(event.at(event_sampled_file::noise_key), event_sampled_file::noise_key,
                                  parameter_of(Gaussian::kind, "stddev"));
  if (rate == 0 || limit == 0) return {};
  const RecordedSteps inside{{gaussian_of(noise, neighbors), 1, event.path()}};
  return {event_sampled_file::on_sample(inside, Sampling::truncated_poisson(rate, dataset, limit),
                                        {event.path(), event.at(event_sampled_file::noise_key).path(), neighbors})};
}

}  // namespace renyi::convert
