// Collects the mechanisms, samplings and references of a plan for a statement.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "renyi/extras/notes.h"
#include "renyi/mechanism.h"
#include "renyi/plan.h"
#include "renyi/sampling.h"

namespace renyi::api {

// How often a record may contribute to the rounds of one step, as the step's values assume.
struct Contributions {
  std::string mechanism{};
  double participations = 1;  // the largest number of rounds
  double min_separation = 1;  // the smallest distance from one round to the next
  bool fixed_order = false;   // the distance is exactly min_separation

  bool operator==(const Contributions&) const = default;
};

struct Inventory {
  std::vector<Mechanism> mechanisms{};         // each kind once, unsampled, in order of first use
  std::vector<Scheme> schemes{};               // each scheme once
  bool on_all_records = false;                 // some step is not sampled
  std::vector<Contributions> contributions{};  // each rule once
  bool parallel = false;
  bool selection = false;
  std::optional<double> dataset_size{};  // if a sampling states it, and all that do agree
  std::vector<Reference> references{};   // each reference once
};

// Includes groups, parallel parts and selections.
Inventory inventory_of(const Plan& plan);

}  // namespace renyi::api
