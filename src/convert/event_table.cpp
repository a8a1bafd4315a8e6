// Every event class of dp_accounting 0.6.0, and those added since: its fields in the order of the named tuple,
// and what becomes of it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "convert/event.h"
#include "json/show.h"
#include "renyi/error.h"

namespace renyi::convert {
namespace {

template <std::size_t n>
using Names = std::array<std::string_view, n>;

constexpr Names<1> noise{"noise_multiplier"};
constexpr Names<2> response{"noise_parameter", "num_buckets"};
constexpr Names<2> zcdp{"rho", "xi"};
constexpr Names<2> epsilon_delta{"epsilon", "delta"};
constexpr Names<2> trees{"noise_multiplier", "step_counts"};
constexpr Names<1> events{"events"};
constexpr Names<2> event_count{"event", "count"};
constexpr Names<2> rate_event{"sampling_probability", "event"};
constexpr Names<3> sizes_event{"source_dataset_size", "sample_size", "event"};
constexpr Names<4> truncated{"dataset_size", "sampling_probability", "truncated_batch_size", "noise_multiplier"};

Parts nothing(const Event& /*event*/, Neighbors /*neighbors*/) { return {}; }
Parts no_privacy(const Event& event, Neighbors /*neighbors*/) { return {{std::nullopt, 1, event.path()}}; }

constexpr std::string_view discrete = "discrete noise is not analysed in this version";
constexpr std::string_view selection = "private selection is not analysed in this version";

constexpr std::array<EventClass, 23> table{{
    {.name = "NoOpDpEvent", .read = nothing},
    {.name = "NonPrivateDpEvent", .read = no_privacy},
    {.name = "GaussianDpEvent", .fields = noise, .required = 1, .read = read_gaussian},
    {.name = "LaplaceDpEvent", .fields = noise, .required = 1, .read = read_laplace},
    {.name = "RandomizedResponseDpEvent", .fields = response, .required = 2, .read = read_randomized_response},
    {.name = "ZCDpEvent", .fields = zcdp, .required = 1, .read = read_zcdp},
    {.name = "EpsilonDeltaDpEvent", .fields = epsilon_delta, .required = 2, .read = read_epsilon_delta},
    {.name = "SingleEpochTreeAggregationDpEvent", .fields = trees, .required = 2, .read = read_tree_aggregation},
    {.name = "ComposedDpEvent", .fields = events, .required = 1, .read = read_composed},
    {.name = "SelfComposedDpEvent", .fields = event_count, .required = 2, .read = read_self_composed},
    {.name = "PoissonSampledDpEvent", .fields = rate_event, .required = 2, .read = read_poisson_sampled},
    {.name = "SampledWithoutReplacementDpEvent",
     .fields = sizes_event,
     .required = 3,
     .read = read_sampled_without_replacement},
    {.name = "SampledWithReplacementDpEvent",
     .fields = sizes_event,
     .required = 3,
     .read = read_sampled_with_replacement},
    {.name = "TruncatedSubsampledGaussianDpEvent", .fields = truncated, .required = 4, .read = read_truncated_gaussian},
    {.name = "DpEvent", .why = "it is the base class and says nothing of what was run"},
    {.name = "UnsupportedDpEvent", .why = "the record itself says that this step is not described"},
    {.name = "RandomAllocationDpEvent", .why = "random allocation is not analysed in this version"},
    {.name = "DiscreteLaplaceDpEvent", .why = discrete},
    {.name = "DiscreteGaussianDpEvent", .why = discrete},
    {.name = "MixtureOfGaussiansDpEvent", .why = "mixtures of several sensitivities are not analysed in this version"},
    {.name = "RepeatAndSelectDpEvent", .why = selection},
    {.name = "ExponentialMechanismDpEvent", .why = selection},
    {.name = "PermuteAndFlipDpEvent", .why = selection},
}};

std::string known_classes() {
  std::vector<std::string_view> names;
  for (const EventClass& known : table) {
    if (known.read != nullptr) names.push_back(known.name);
  }
  return "use " + json::Field::one_of(names);
}

}  // namespace

const EventClass& event_class(const json::Field& class_name) {
  const std::string& name = class_name.text();
  for (const EventClass& known : table) {
    if (known.name != name) continue;
    if (known.read != nullptr) return known;
    throw Unsupported(class_name.path(), fmt::format("{}: {}", known.name, known.why), known_classes());
  }
  throw Unsupported(class_name.path(), fmt::format("{} is no event class known here", json::show(class_name.value())),
                    known_classes());
}

}  // namespace renyi::convert
