// Plans from JSON documents: shared by plan files and requests.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/field.h"
#include "renyi/plan.h"

namespace renyi::plan {

// The one number a document leaves open by writing null.
struct Blank {
  std::vector<std::size_t> path;  // as in Unknown (renyi/calibrate.h); empty: of the document itself
  std::string parameter;          // likewise
  std::string key;                // as the document spells it, from the step on
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

// The same with exactly one number written as null: of a step, the unit, or one of the document's members named here.
PlanWithBlank read_plan_with_blank(const json::Field& document, std::span<const std::string_view> others);

// Refuses a plan file of another version, or with keys a plan file does not have.
void check_header(const json::Field& document);

}  // namespace renyi::plan
