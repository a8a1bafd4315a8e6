// What a plan consists of, as a statement names it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "renyi/mechanism.h"
#include "renyi/extras/notes.h"
#include "renyi/plan.h"
#include "renyi/sampling.h"

namespace renyi::api {

// How often a record may contribute to the rounds of one step, as the step's figures assume.
struct Contributions {
  std::string mechanism{};
  double participations = 1;  // rounds, at most
  double min_separation = 1;  // rounds from one to the next, at least
  bool fixed_order = false;   // exactly so many apart

  bool operator==(const Contributions&) const = default;
};

struct Inventory {
  std::vector<Mechanism> mechanisms{};         // each kind once, without its sampling, in order of first use
  std::vector<Scheme> schemes{};               // each once
  bool on_all_records = false;                 // some step is not sampled
  std::vector<Contributions> contributions{};  // each once
  bool parallel = false;
  bool selection = false;
  std::optional<double> dataset_size{};  // where a sampling knows it, and all that do agree
  std::vector<Reference> references{};   // each once
};

// Groups, parallel parts and selections included.
Inventory inventory_of(const Plan& plan);

}  // namespace renyi::api
