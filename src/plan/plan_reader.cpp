#include "plan/plan_reader.h"

#include <array>
#include <utility>

#include "json/show.h"
#include "plan/step_reader.h"
#include "renyi/error.h"

namespace renyi::plan {
namespace {

using json::Field;

constexpr std::string_view version_key = "renyi";
constexpr std::string_view neighbors_key = "neighbors";
constexpr std::string_view unit_key = "unit";
constexpr std::string_view steps_key = "steps";

Field steps_of(const Field& document) { return document.require(steps_key, "an array of steps"); }

// What the reader cannot see, such as the product of nested counts, the plan
// checks: its complaint gets the path of the step.
template <class What>
void add(Plan& plan, What&& what, std::int64_t count, const std::string& step_path) {
  try {
    plan.add(std::forward<What>(what), count);
  } catch (const InvalidArgument& error) {
    throw error.within(step_path + '.');
  }
}

Plan assemble(const Adjacency& relation, Steps steps, const Field& field) {
  Plan plan(relation.neighbors, relation.unit);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string path = json::element_path(field.path(), i);
    std::visit([&](auto& what) { add(plan, std::move(what), steps[i].count, path); }, steps[i].what);
  }
  return plan;
}

// One record stands for a unit that is left open.
Adjacency read_open_adjacency(const Field& document) {
  const auto unit = document.find(unit_key);
  return unit && unit->is_null() ? Adjacency{read_neighbors(document), 1} : read_adjacency(document);
}

}  // namespace

Neighbors read_neighbors(const Field& document) {
  static constexpr std::array all{Neighbors::add_or_remove_one, Neighbors::replace_one, Neighbors::zero_out};
  const auto field = document.find(neighbors_key);
  return field ? field->choose<Neighbors>(all) : Neighbors::add_or_remove_one;
}

Adjacency read_adjacency(const Field& document) {
  const auto unit = document.find(unit_key);
  return {read_neighbors(document), unit ? unit->integer(1, largest_unit) : 1};
}

Plan read_plan(const Field& document) {
  const Adjacency relation = read_adjacency(document);
  const Field steps = steps_of(document);
  return assemble(relation, StepReader(relation, StepReader::Blanks::refused).read(steps), steps);
}

PlanWithBlank read_plan_with_blank(const Field& document, std::span<const std::string_view> others) {
  const Adjacency relation = read_open_adjacency(document);
  const Field steps = steps_of(document);
  StepReader reader(relation, StepReader::Blanks::one);
  for (const std::string_view other : others) reader.note_if_blank(document, other);
  reader.note_if_blank(document, unit_key);
  Plan plan = assemble(relation, reader.read(steps), steps);
  if (!reader.blank()) {
    throw InvalidArgument(steps.path(), "no null", "exactly one number written as null: the one to solve for");
  }
  return {std::move(plan), *reader.blank()};
}

void check_header(const Field& document) {
  document.allow_only(std::array{version_key, neighbors_key, unit_key, steps_key});
  document.require(version_key, "1, the version of the format").integer(1, 1);
}

}  // namespace renyi::plan
