// Plans from JSON documents: shared by plan files and requests.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "json/field.h"
#include "renyi/plan.h"

namespace renyi::plan {

// The one number a document leaves open by writing null.
struct Blank {
  std::vector<std::size_t> path;  // index of the step at each level of nesting
  std::string parameter;          // of the mechanism, or "count"
  std::string key;                // as the document spells it
  std::string json_path;          // "steps[0].noise_multiplier"
};

struct PlanWithBlank {
  Plan plan;  // holds a placeholder where the blank is
  Blank blank;
};

// The member "neighbors" of a document, or the default.
Neighbors read_neighbors(const json::Field& document);

// The members "neighbors" and "unit" of a document, or their defaults.
Adjacency read_adjacency(const json::Field& document);

// The relation and the "steps" of a document.
Plan read_plan(const json::Field& document);

// The same with exactly one parameter or count written as null.
PlanWithBlank read_plan_with_blank(const json::Field& document);

// Refuses a plan file of another version, or with keys a plan file does not have.
void check_header(const json::Field& document);

}  // namespace renyi::plan
