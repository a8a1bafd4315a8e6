// One event of dp_accounting, in either of the two JSON forms of its named tuple, and the table of event classes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "convert/recorded_steps.h"
#include "json/field.h"

namespace renyi::convert {

class Event;

// One entry of the table. A class without `read` is known and refused; `why` gives the reason.
struct EventClass {
  std::string_view name;
  std::span<const std::string_view> fields{};  // in the order of the named tuple
  std::size_t required = 0;                    // the number of fields without a default
  RecordedSteps (*read)(const Event& event, Neighbors neighbors) = nullptr;
  std::string_view why{};
};

// Throws Unsupported, at the class name's path, for classes that are unknown or refused.
const EventClass& event_class(const json::Field& class_name);

class Event {
 public:
  // Checks module, class and the names of the fields; their values are checked when they are read.
  explicit Event(const json::Field& event);

  const std::string& path() const noexcept { return path_; }
  // Returns a field that the class requires.
  json::Field at(std::string_view name) const;
  std::optional<json::Field> find(std::string_view name) const;
  RecordedSteps read(Neighbors neighbors) const { return class_->read(*this, neighbors); }

 private:
  void read_object(const json::Field& event);
  void read_array(const json::Field& event);

  std::string path_;
  const EventClass* class_ = nullptr;
  std::vector<std::optional<json::Field>> values_;  // one value per field of the class
};

inline RecordedSteps read_event(const json::Field& event, Neighbors neighbors) { return Event(event).read(neighbors); }

// Classes that run one mechanism.
RecordedSteps read_gaussian(const Event& event, Neighbors neighbors);
RecordedSteps read_laplace(const Event& event, Neighbors neighbors);
RecordedSteps read_discrete_laplace(const Event& event, Neighbors neighbors);
RecordedSteps read_discrete_gaussian(const Event& event, Neighbors neighbors);
RecordedSteps read_exponential(const Event& event, Neighbors neighbors);
RecordedSteps read_permute_and_flip(const Event& event, Neighbors neighbors);
RecordedSteps read_randomized_response(const Event& event, Neighbors neighbors);
RecordedSteps read_zcdp(const Event& event, Neighbors neighbors);
RecordedSteps read_epsilon_delta(const Event& event, Neighbors neighbors);
RecordedSteps read_tree_aggregation(const Event& event, Neighbors neighbors);
// Classes that contain events.
RecordedSteps read_composed(const Event& event, Neighbors neighbors);
RecordedSteps read_self_composed(const Event& event, Neighbors neighbors);
RecordedSteps read_repeat_and_select(const Event& event, Neighbors neighbors);
RecordedSteps read_poisson_sampled(const Event& event, Neighbors neighbors);
RecordedSteps read_sampled_without_replacement(const Event& event, Neighbors neighbors);
RecordedSteps read_sampled_with_replacement(const Event& event, Neighbors neighbors);
RecordedSteps read_truncated_gaussian(const Event& event, Neighbors neighbors);

}  // namespace renyi::convert
