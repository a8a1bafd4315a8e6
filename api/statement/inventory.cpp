#include "api/statement/inventory.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "renyi/extras/select.h"

namespace renyi::api {
namespace inventory_file {
namespace {

// Custom mechanisms share a kind, and are distinguished by their names.
bool is_same_kind(const Mechanism& left, const Mechanism& right) {
  return left.kind() == right.kind() && left.summary() == right.summary();
}

// Returns the value of a parameter, defaults included; std::nullopt if the mechanism has no such parameter.
std::optional<double> value_of(const Mechanism& mechanism, std::string_view name) {
  const auto parameters = mechanism.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name == name) return mechanism.values()[i];
  }
  return std::nullopt;
}

std::optional<Contributions> contributions_of(const Mechanism& mechanism) {
  const auto participations = value_of(mechanism, "participations");
  if (!participations) return std::nullopt;
  return Contributions{.mechanism = std::string(mechanism.kind()),
                       .participations = *participations,
                       .min_separation = value_of(mechanism, "min_separation").value_or(1),
                       .fixed_order = value_of(mechanism, "fixed_order").value_or(0) != 0};
}

class Collector {
 public:
  void add(const Steps& steps) {
    for (const Step& step : steps) {
      if (const auto* mechanism = std::get_if<Mechanism>(&step.what)) {
        add(*mechanism);
      } else {
        add(std::get<Steps>(step.what));
      }
    }
  }

  Inventory found() && {
    if (sizes_agree_) found_.dataset_size = size_;
    return std::move(found_);
  }

 private:
  void add(const Mechanism& mechanism) {
    if (const auto* parallel = mechanism.get_if<Parallel>()) {
      found_.parallel = true;
      for (const Steps& part : parallel->parts()) add(part);
    } else if (const auto* select = mechanism.get_if<Select>()) {
      found_.selection = true;
      add_references(mechanism.notes());
      add(select->steps());
    } else {
      add_kind(mechanism.unsampled());
      add_contributions(mechanism.unsampled());
      add_sampling(mechanism);
    }
  }

  void add_kind(const Mechanism& mechanism) {
    auto& all = found_.mechanisms;
    const auto same = [&](const Mechanism& known) { return is_same_kind(known, mechanism); };
    if (std::any_of(all.begin(), all.end(), same)) return;
    all.push_back(mechanism);
    add_references(mechanism.notes());
  }

  void add_contributions(const Mechanism& mechanism) {
    const auto rule = contributions_of(mechanism);
    auto& all = found_.contributions;
    if (rule && std::find(all.begin(), all.end(), *rule) == all.end()) all.push_back(*rule);
  }

  void add_references(const Notes& notes) {
    for (const Reference& reference : notes.references) {
      auto& all = found_.references;
      const auto same = [&](const Reference& known) { return known.key == reference.key; };
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(reference);
    }
  }

  void add_sampling(const Mechanism& mechanism) {
    if (const Sampling* sampling = mechanism.sampling()) {
      add_scheme(sampling->scheme);
      // A padded sample states a lower bound on the number of records.
      if (sampling->dataset_size > 0 && !sampling->padded) add_size(sampling->dataset_size);
    } else if (mechanism.get_if<SampledGaussian>().has_value()) {
      add_scheme(Scheme::poisson);
    } else if (const auto steps = mechanism.steps_of_run(); !steps.empty()) {
      for (const CountedMechanism& step : steps) add_sampling(step.mechanism);
    } else {
      found_.on_all_records = true;
    }
  }

  void add_scheme(Scheme scheme) {
    auto& all = found_.schemes;
    if (std::find(all.begin(), all.end(), scheme) == all.end()) all.push_back(scheme);
  }

  void add_size(double records) {
    sizes_agree_ = sizes_agree_ && (!size_ || *size_ == records);
    size_ = records;
  }

  Inventory found_;
  std::optional<double> size_;
  bool sizes_agree_ = true;
};

}  // namespace
}  // namespace inventory_file

Inventory inventory_of(const Plan& plan) {
  inventory_file::Collector collector;
  collector.add(plan.steps());
  return std::move(collector).found();
}

}  // namespace renyi::api
