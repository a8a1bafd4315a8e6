#include "convert/event.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "convert/record.h"
#include "json/show.h"
#include "renyi/error.h"

namespace renyi::convert {
namespace event_file {
namespace {

template <std::size_t n>
using Names = std::array<std::string_view, n>;

constexpr Names<1> noise{"noise_multiplier"};
constexpr Names<2> response{"noise_parameter", "num_buckets"};
constexpr Names<2> zcdp{"rho", "xi"};
constexpr Names<2> discrete_laplace{"noise_parameter", "sensitivity"};
constexpr Names<3> discrete_gaussian{"sigma", "sensitivity", "dimension"};
constexpr Names<1> choice{"epsilon"};
constexpr Names<2> epsilon_delta{"epsilon", "delta"};
constexpr Names<3> selection{"event", "mean", "shape"};
constexpr Names<2> trees{"noise_multiplier", "step_counts"};
constexpr Names<1> events{"events"};
constexpr Names<2> event_count{"event", "count"};
constexpr Names<2> rate_event{"sampling_probability", "event"};
constexpr Names<3> sizes_event{"source_dataset_size", "sample_size", "event"};
constexpr Names<4> truncated{"dataset_size", "sampling_probability", "truncated_batch_size", "noise_multiplier"};

RecordedSteps nothing(const Event& /*event*/, Neighbors /*neighbors*/) { return {}; }
RecordedSteps no_privacy(const Event& event, Neighbors /*neighbors*/) { return {{non_private(), 1, event.path()}}; }

// Every event class of dp_accounting 0.6.0 and of later versions: its fields in the order of the named tuple, and how
// it is read or why it is refused.
constexpr std::array<EventClass, 23> table{{
    {.name = "NoOpDpEvent", .read = nothing},
    {.name = "NonPrivateDpEvent", .read = no_privacy},
    {.name = "GaussianDpEvent", .fields = noise, .required = 1, .read = read_gaussian},
    {.name = "LaplaceDpEvent", .fields = noise, .required = 1, .read = read_laplace},
    {.name = "DiscreteLaplaceDpEvent", .fields = discrete_laplace, .required = 2, .read = read_discrete_laplace},
    {.name = "DiscreteGaussianDpEvent", .fields = discrete_gaussian, .required = 1, .read = read_discrete_gaussian},
    {.name = "ExponentialMechanismDpEvent", .fields = choice, .required = 1, .read = read_exponential},
    {.name = "PermuteAndFlipDpEvent", .fields = choice, .required = 1, .read = read_permute_and_flip},
    {.name = "RandomizedResponseDpEvent", .fields = response, .required = 2, .read = read_randomized_response},
    {.name = "ZCDpEvent", .fields = zcdp, .required = 1, .read = read_zcdp},
    {.name = "EpsilonDeltaDpEvent", .fields = epsilon_delta, .required = 2, .read = read_epsilon_delta},
    {.name = "SingleEpochTreeAggregationDpEvent", .fields = trees, .required = 2, .read = read_tree_aggregation},
    {.name = "ComposedDpEvent", .fields = events, .required = 1, .read = read_composed},
    {.name = "SelfComposedDpEvent", .fields = event_count, .required = 2, .read = read_self_composed},
    {.name = "RepeatAndSelectDpEvent", .fields = selection, .required = 3, .read = read_repeat_and_select},
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
    {.name = "MixtureOfGaussiansDpEvent", .why = "mixtures of several sensitivities are not analysed in this version"},
}};

std::string known_classes() {
  std::vector<std::string_view> names;
  for (const EventClass& known : table) {
    if (known.read != nullptr) names.push_back(known.name);
  }
  return "use " + json::Field::one_of(names);
}

}  // namespace
}  // namespace event_file

const EventClass& event_class(const json::Field& class_name) {
  const std::string& name = class_name.text();
  for (const EventClass& known : event_file::table) {
    if (known.name != name) continue;
    if (known.read != nullptr) return known;
    throw Unsupported(class_name.path(), fmt::format("{}: {}", known.name, known.why), event_file::known_classes());
  }
  throw Unsupported(class_name.path(), fmt::format("{} is no event class known here", json::show(class_name.value())),
                    event_file::known_classes());
}

using json::Field;

namespace event_file {
namespace {

constexpr std::string_view module_key = "module_name";
constexpr std::string_view class_key = "class_name";
constexpr std::array<std::string_view, 1> modules{"dp_accounting.dp_event"};

void check_module(const Field& module) {
  if (std::find(modules.begin(), modules.end(), module.text()) == modules.end()) module.refuse_name(modules);
}

std::string tuple_of(const EventClass& known) {
  const std::string fields = fmt::format("{}", fmt::join(known.fields, ", "));
  return fmt::format("[\"{}\", \"{}\"{}{}]", modules[0], known.name, fields.empty() ? "" : ", ", fields);
}

}  // namespace
}  // namespace event_file

Event::Event(const Field& event) : path_(event.path()) {
  if (event.value().is_object()) {
    read_object(event);
  } else if (event.value().is_array() && event.value().size() >= 2) {
    read_array(event);
  } else {
    event.refuse("an event: {\"module_name\", \"class_name\", ...fields} or [module_name, class_name, ...fields]");
  }
}

void Event::read_object(const Field& event) {
  event_file::check_module(event.require(event_file::module_key, Field::one_of(event_file::modules)));
  class_ = &event_class(event.require(event_file::class_key, "the name of an event class"));
  std::vector<std::string_view> keys{event_file::module_key, event_file::class_key};
  keys.insert(keys.end(), class_->fields.begin(), class_->fields.end());
  event.allow_only(keys);
  for (std::size_t i = 0; i < class_->fields.size(); ++i) {
    if (i < class_->required) event.require(class_->fields[i], fmt::format("a value: {} needs it", class_->name));
    values_.push_back(event.find(class_->fields[i]));
  }
}

void Event::read_array(const Field& event) {
  const auto items = event.items();
  event_file::check_module(items[0]);
  class_ = &event_class(items[1]);
  const std::size_t given = items.size() - 2;
  if (given < class_->required || given > class_->fields.size()) event.refuse(event_file::tuple_of(*class_));
  values_.assign(items.begin() + 2, items.end());
  values_.resize(class_->fields.size());
}

std::optional<Field> Event::find(std::string_view name) const {
  const auto field = std::find(class_->fields.begin(), class_->fields.end(), name);
  return values_.at(static_cast<std::size_t>(field - class_->fields.begin()));
}

Field Event::at(std::string_view name) const { return find(name).value(); }

// Reads events that run one after the other.
RecordedSteps read_composed(const Event& event, Neighbors neighbors) {
  RecordedSteps all;
  for (const json::Field& item : event.at("events").items()) {
    RecordedSteps parts = read_event(item, neighbors);
    std::move(parts.begin(), parts.end(), std::back_inserter(all));
  }
  return all;
}

// An event that runs zero times costs nothing, but it is read all the same: a record is accepted as a whole or not at
// all.
RecordedSteps read_self_composed(const Event& event, Neighbors neighbors) {
  const json::Field count = event.at("count");
  const std::int64_t times = count.integer(0, std::numeric_limits<std::int64_t>::max());
  RecordedSteps parts = read_event(event.at("event"), neighbors);
  if (times == 0) return {};
  for (RecordedStep& part : parts) {
    if (__builtin_mul_overflow(part.count, times, &part.count)) {
      throw InvalidArgument(count.path(), "a product of nested counts above 2^63-1", "totals from 0 to 2^63-1");
    }
  }
  return parts;
}

Plan from_dp_events(const Field& record, Neighbors neighbors) {
  return assemble(read_event(record, neighbors), neighbors, record.path());
}

}  // namespace renyi::convert
