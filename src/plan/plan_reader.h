// Reads plans from JSON documents. Plan files and requests share this reader.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/field.h"
#include "renyi/plan.h"

namespace renyi::plan {

// An unknown number of a document, written as null.
struct Blank {
  std::vector<std::size_t> path;  // as in Unknown (renyi/calibrate.h); empty for a member of the document itself
  std::string parameter;          // as in Unknown
  std::string key;                // the spelling of the document, relative to the step
  std::string json_path;          // "steps[0].noise_multiplier"
};

struct PlanWithBlank {
  Plan plan;  // contains a placeholder for the blank
  Blank blank;
};

struct PlanWithBlanks {
  Plan plan;  // contains placeholders for the blanks
  std::vector<Blank> blanks;
};

// Reads the member "neighbors" of a document, or returns the default.
Neighbors read_neighbors(const json::Field& document);

// Reads the members "neighbors" and "unit" of a document, or returns their defaults.
Adjacency read_adjacency(const json::Field& document);

// Reads the neighbouring relation and the "steps" of a document.
Plan read_plan(const json::Field& document);

// Reads a plan in which exactly one number is null: a number of a step, the unit, or a member of the document that is
// named in `others`.
PlanWithBlank read_plan_with_blank(const json::Field& document, std::span<const std::string_view> others);

// Reads a plan in which one number or more of its steps are null.
PlanWithBlanks read_plan_with_blanks(const json::Field& document);

// Refuses a plan file of another version, or with keys a plan file does not have.
void check_header(const json::Field& document);

}  // namespace renyi::plan
