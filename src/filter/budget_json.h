// Budgets as JSON (docs/format/filter.md).
#pragma once

#include "json/field.h"
#include "json/json.h"
#include "renyi/filter.h"

namespace renyi::filter {

// Reads a budget. Besides the stored form, a curve may be given as the "plan" whose divergences are the limits, at
// "orders" or the default ones, and shares as a "delta" that is divided equally among "orders". The relation is that of
// a plan within the budget.
Budget read_budget(const json::Field& field, const Adjacency& relation = {});

// Writes the stored form.
json::Json write_budget(const Budget& budget);

}  // namespace renyi::filter
