#include "plan/plan_reader.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "json/show.h"
#include "plan/select/runs.h"
#include "plan/step_names.h"
#include "renyi/error.h"
#include "renyi/extras/select.h"

namespace renyi::plan {

using json::Field;

namespace plan_reader_file {
namespace {

// Reads one step of a plan from JSON. No mechanism is named here: the allowed keys follow from the catalogue of
// mechanisms.
class StepReader {
 public:
  enum class Blanks { refused, one, several };

  StepReader(const Adjacency& relation, Blanks blanks) : relation_(relation), blanks_(blanks) {}

  Steps read(const json::Field& steps);
  // Checks whether a member of the document itself is the unknown number.
  void note_if_blank(const json::Field& document, std::string_view key);
  const std::vector<Blank>& blanks() const noexcept { return found_; }

 private:
  Step read_step(const json::Field& step);
  Step read_group(const json::Field& step, const json::Field& steps);
  Step read_parallel(const json::Field& step, const json::Field& parts);
  Step read_select(const json::Field& step, const json::Field& steps);
  Mechanism read_mechanism(const json::Field& step);
  Mechanism read_parameters(const json::Field& step);
  Runs read_open_runs(const json::Field& runs);
  // Finds a placeholder for the blank where the mechanism's default does not agree with its other numbers.
  Mechanism with_stand_in(const Mechanism& known, std::vector<NamedNumber> numbers,
                          const std::vector<NamedRows>& tables, const Parameter* open) const;
  Sampling read_sampling(const json::Field& sampling);
  std::int64_t read_count(const json::Field& step);
  // Returns true if the value is null, and then records it as the blank.
  bool is_blank(const json::Field& value, std::string_view key, std::string_view parameter);

  Adjacency relation_;
  Blanks blanks_;
  std::vector<std::size_t> path_;
  std::vector<Blank> found_;
};

constexpr std::string_view mechanism_key = "mechanism";
constexpr std::string_view group_key = "plan";
constexpr std::string_view parallel_key = "parallel";
constexpr std::string_view select_key = "select";
constexpr std::string_view runs_key = "runs";
constexpr std::string_view sampling_key = "sampling";
constexpr std::string_view scheme_key = "scheme";
constexpr std::string_view padded_key = "padded";
constexpr std::string_view count_key = "count";
constexpr std::string_view name_key = "name";
constexpr std::string_view comment_key = "comment";

// Returns the mechanism that a step names, with its default parameters.
const Mechanism& named_by(const Field& name) {
  if (const Mechanism* found = find_mechanism(name.text())) return *found;
  std::vector<std::string_view> kinds;
  for (const Mechanism& mechanism : all_mechanisms()) kinds.push_back(mechanism.kind());
  name.refuse_name(kinds);
}

std::vector<std::string_view> keys_of(const Mechanism& mechanism) {
  std::vector<std::string_view> keys{mechanism_key};
  for (const Parameter& parameter : mechanism.parameters()) keys.push_back(parameter.name);
  for (const Alias& alias : mechanism.aliases()) keys.push_back(alias.name);
  for (const TableParameter& table : mechanism.tables()) keys.push_back(table.name);
  keys.push_back(sampling_key);  // if it cannot be sampled, the error gives the reason
  for (const std::string_view key : {count_key, name_key, comment_key}) keys.push_back(key);
  return keys;
}

// Reads what a step is called; it is for readers and changes no figure.
void read_names(Step& step, const Field& field) {
  if (const auto name = field.find(name_key)) {
    if (!name->value().is_string() || !is_step_name(name->text())) name->refuse(allowed_step_name());
    step.name = name->text();
  }
  if (const auto comment = field.find(comment_key)) {
    if (!comment->value().is_string() || !is_step_comment(comment->text())) comment->refuse(allowed_step_comment());
    step.comment = comment->text();
  }
}

// The key by which a step sets a parameter: its name or an alias, not both.
struct Spelling {
  std::string_view key;
  std::optional<Field> value;
};

void check_exclusions(const Field& step, const Alias& alias) {
  for (const std::string_view other : {alias.parameter, alias.excluded}) {
    if (const auto clash = step.find(other)) {
      throw InvalidArgument(clash->path(), json::show(clash->value()),
                            fmt::format("either {} or {}, not both", alias.name, other));
    }
  }
}

Spelling spelling_of(const Parameter& parameter, const Mechanism& mechanism, const Field& step) {
  for (const Alias& alias : mechanism.aliases()) {
    if (alias.parameter != parameter.name) continue;
    if (auto value = step.find(alias.name)) {
      check_exclusions(step, alias);
      return {alias.name, std::move(value)};
    }
  }
  return {parameter.name, step.find(parameter.name)};
}

// Describes the allowed values of a required parameter, and the other ways to give it.
std::string allowed_for(const Parameter& parameter, const Mechanism& mechanism) {
  std::string allowed = parameter.allowed();
  for (const Alias& alias : mechanism.aliases()) {
    if (alias.parameter == parameter.name) allowed += fmt::format(" (or {} instead)", alias.name);
  }
  return allowed;
}

double read_entry(const Field& number) {
  if (number.is_null()) number.refuse("a number: what a table holds is not solved for");
  return number.number_or_infinity();
}

std::vector<double> read_row(const Field& row, const TableParameter& table) {
  if (table.columns.size() == 1 && !table.any_width) return {read_entry(row)};
  std::vector<double> numbers;
  for (const Field& number : row.items()) numbers.push_back(read_entry(number));
  return numbers;
}

Rows read_rows(const Field& step, const TableParameter& table) {
  const auto rows = step.find(table.name);
  if (!rows && table.may_be_empty) return {};
  const Field given = rows ? *rows : step.require(table.name, "a table, row by row");
  Rows result;
  for (const Field& row : given.items()) result.push_back(read_row(row, table));
  return result;
}

double checked(const Field& value, const Parameter& parameter) {
  if (!value.value().is_number() || !parameter.allows(value.number())) value.refuse(parameter.allowed());
  return value.number();
}

bool StepReader::is_blank(const Field& value, std::string_view key, std::string_view parameter) {
  if (!value.is_null() || blanks_ == Blanks::refused) return false;
  if (blanks_ == Blanks::one && !found_.empty()) {
    value.refuse(fmt::format("one null in a request, and {} is null already (\"split\" solves for several)",
                             found_.front().json_path));
  }
  found_.push_back({path_, std::string(parameter), std::string(key), value.path()});
  return true;
}

void StepReader::note_if_blank(const Field& document, std::string_view key) {
  if (const auto value = document.find(key)) is_blank(*value, key, key);
}

std::int64_t StepReader::read_count(const Field& step) {
  const auto count = step.find(count_key);
  if (!count || is_blank(*count, count_key, count_key)) return 1;
  return count->integer(1, std::numeric_limits<std::int64_t>::max());
}

// Conditions on several numbers are checked when all of them have been read.
Mechanism StepReader::read_parameters(const Field& step) {
  const Mechanism& known = named_by(*step.find(mechanism_key));
  step.allow_only(keys_of(known));
  std::vector<NamedNumber> numbers;
  const Parameter* open = nullptr;
  for (const Parameter& parameter : known.parameters()) {
    const auto [key, value] = spelling_of(parameter, known, step);
    if (!value) {
      if (!parameter.fallback) step.require(key, allowed_for(parameter, known));
      numbers.emplace_back(parameter.name, *parameter.fallback);
    } else if (is_blank(*value, key, parameter.name)) {
      open = &parameter;
    } else {
      numbers.emplace_back(parameter.name, checked(*value, parameter));
    }
  }
  std::vector<NamedRows> tables;
  for (const TableParameter& table : known.tables()) tables.emplace_back(table.name, read_rows(step, table));
  try {
    return with_stand_in(known, std::move(numbers), tables, open);
  } catch (const InvalidArgument& error) {
    throw error.within(step.path() + '.');
  }
}

Mechanism StepReader::with_stand_in(const Mechanism& known, std::vector<NamedNumber> numbers,
                                    const std::vector<NamedRows>& tables, const Parameter* open) const {
  if (open == nullptr) return known.with(numbers, tables);
  try {
    return known.with(numbers, tables);
  } catch (const InvalidArgument&) {
    numbers.emplace_back(open->name, open->lowest);
  }
  try {
    return known.with(numbers, tables);
  } catch (const InvalidArgument&) {
    numbers.back().second = open->highest;
    return known.with(numbers, tables);
  }
}

// Whatever its steps, a selection costs least with about one run, so that 1 is the placeholder.
Runs StepReader::read_open_runs(const Field& runs) {
  return read_runs(runs, [&](const Field& value, const Parameter& parameter) -> std::optional<double> {
    const std::string full = fmt::format("{}.{}", runs_key, parameter.name);
    if (!is_blank(value, full, full)) return std::nullopt;
    return parameter.allows(1) ? 1 : parameter.lowest;
  });
}

// Says whether a batch of fixed size is drawn from places, some of which may be empty. A sample that is not says
// nothing.
bool is_padded(const Field& sampling) {
  const auto padded = sampling.find(padded_key);
  if (padded && padded->value() != json::Json(true)) padded->refuse("true, or nothing");
  return padded.has_value();
}

Sampling StepReader::read_sampling(const Field& sampling) {
  const Field name = sampling.require(scheme_key, "a sampling scheme");
  Sampling result{.scheme = name.choose<Scheme>(all_schemes)};
  std::vector<std::string_view> keys{scheme_key};
  for (const Parameter& parameter : parameters(result.scheme)) keys.push_back(parameter.name);
  if (result.scheme == Scheme::fixed_size) keys.push_back(padded_key);
  sampling.allow_only(keys);
  result.padded = is_padded(sampling);
  for (const Parameter& parameter : parameters(result.scheme)) {
    if (parameter.fallback && !sampling.find(parameter.name)) {
      result = result.with(parameter.name, *parameter.fallback);
      continue;
    }
    const Field value = sampling.require(parameter.name, parameter.allowed());
    const std::string full = fmt::format("{}.{}", sampling_key, parameter.name);
    const bool open = is_blank(value, full, full);
    // The placeholder agrees with the other numbers, whatever they are.
    const bool is_a_part =
        parameter.name == "rate" || parameter.name == "batch_size" || parameter.name == "participations";
    const double fits = is_a_part ? parameter.lowest : parameter.highest;
    result = result.with(parameter.name, open ? fits : checked(value, parameter));
  }
  return result;
}

// Errors about the combination of mechanism and sampling, or about one that is not analysed, get the path of the step.
Mechanism StepReader::read_mechanism(const Field& step) {
  Mechanism mechanism = read_parameters(step);
  const auto sampling = step.find(sampling_key);
  try {
    if (sampling) mechanism = mechanism.sampled_by(read_sampling(*sampling));
    static_cast<void>(analysed(mechanism, relation_));
  } catch (const InvalidArgument& error) {
    if (error.path().starts_with(step.path())) throw;
    throw error.within(step.path() + '.');
  } catch (const Unsupported& error) {
    if (error.path() != sampling_key) throw;  // the neighbouring relation and the unit belong to the plan
    throw error.within(step.path() + '.');
  }
  return mechanism;
}

Step StepReader::read_parallel(const Field& step, const Field& parts) {
  step.allow_only(std::vector{parallel_key, count_key, name_key, comment_key});
  std::vector<Steps> lists;
  path_.push_back(0);
  for (const Field& part : parts.items()) {
    lists.push_back(read(part));
    ++path_.back();
  }
  path_.pop_back();
  if (lists.empty()) parts.refuse("one part or more, each an array of steps");
  return {Mechanism(Parallel(std::move(lists))), read_count(step)};
}

Step StepReader::read_select(const Field& step, const Field& steps) {
  if (const auto sampling = step.find(sampling_key)) {
    sampling->refuse("nothing on a selection: sample the steps of its runs");
  }
  step.allow_only(std::vector{select_key, runs_key, count_key, name_key, comment_key});
  Steps run = read(steps);
  const Runs runs = read_open_runs(step.require(runs_key, "the law of the number of runs"));
  return {Mechanism(Select(std::move(run), runs)), read_count(step)};
}

Step StepReader::read_group(const Field& step, const Field& steps) {
  step.allow_only(std::vector{group_key, count_key, name_key, comment_key});
  return {read(steps), read_count(step)};
}

Step StepReader::read_step(const Field& step) {
  if (const auto group = step.find(group_key)) return read_group(step, *group);
  if (const auto parts = step.find(parallel_key)) return read_parallel(step, *parts);
  if (const auto run = step.find(select_key)) return read_select(step, *run);
  step.require(mechanism_key,
               fmt::format("a mechanism, or \"{}\", \"{}\" or \"{}\" with steps", group_key, parallel_key, select_key));
  return {read_mechanism(step), read_count(step)};
}

Steps StepReader::read(const Field& steps) {
  Steps result;
  path_.push_back(0);
  for (const Field& step : steps.items()) {
    result.push_back(read_step(step));
    read_names(result.back(), step);
    ++path_.back();
  }
  path_.pop_back();
  return result;
}

constexpr std::string_view version_key = "renyi";
constexpr std::string_view neighbors_key = "neighbors";
constexpr std::string_view unit_key = "unit";
constexpr std::string_view steps_key = "steps";

Field steps_of(const Field& document) { return document.require(steps_key, "an array of steps"); }

// The plan checks what this reader cannot check, such as the product of nested counts. Its errors get the path of the
// step.
void add(Plan& plan, Step step, const std::string& step_path) {
  try {
    plan.add(std::move(step));
  } catch (const InvalidArgument& error) {
    throw error.within(step_path + '.');
  }
}

Plan assemble(const Adjacency& relation, Steps steps, const Field& field) {
  Plan plan(relation.neighbors, relation.unit);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    add(plan, std::move(steps[i]), json::element_path(field.path(), i));
  }
  return plan;
}

// A unit of one record is the placeholder for an unknown unit.
Adjacency read_open_adjacency(const Field& document) {
  const auto unit = document.find(unit_key);
  return unit && unit->is_null() ? Adjacency{read_neighbors(document), 1} : read_adjacency(document);
}

}  // namespace
}  // namespace plan_reader_file

Neighbors read_neighbors(const Field& document) {
  static constexpr std::array all{Neighbors::add_or_remove_one, Neighbors::replace_one, Neighbors::zero_out};
  const auto field = document.find(plan_reader_file::neighbors_key);
  return field ? field->choose<Neighbors>(all) : Neighbors::add_or_remove_one;
}

Adjacency read_adjacency(const Field& document) {
  const auto unit = document.find(plan_reader_file::unit_key);
  return {read_neighbors(document), unit ? unit->integer(1, largest_unit) : 1};
}

Plan read_plan(const Field& document) {
  const Adjacency relation = read_adjacency(document);
  const Field steps = plan_reader_file::steps_of(document);
  return plan_reader_file::assemble(
      relation, plan_reader_file::StepReader(relation, plan_reader_file::StepReader::Blanks::refused).read(steps),
      steps);
}

PlanWithBlank read_plan_with_blank(const Field& document, std::span<const std::string_view> others) {
  const Adjacency relation = plan_reader_file::read_open_adjacency(document);
  const Field steps = plan_reader_file::steps_of(document);
  plan_reader_file::StepReader reader(relation, plan_reader_file::StepReader::Blanks::one);
  for (const std::string_view other : others) reader.note_if_blank(document, other);
  reader.note_if_blank(document, plan_reader_file::unit_key);
  Plan plan = plan_reader_file::assemble(relation, reader.read(steps), steps);
  if (reader.blanks().empty()) {
    throw InvalidArgument(steps.path(), "no null", "exactly one number written as null: the one to solve for");
  }
  return {std::move(plan), reader.blanks().front()};
}

PlanWithBlanks read_plan_with_blanks(const Field& document) {
  const Adjacency relation = read_adjacency(document);
  const Field steps = plan_reader_file::steps_of(document);
  plan_reader_file::StepReader reader(relation, plan_reader_file::StepReader::Blanks::several);
  Plan plan = plan_reader_file::assemble(relation, reader.read(steps), steps);
  if (reader.blanks().empty()) {
    throw InvalidArgument(steps.path(), "no null", "a null for each number to solve for");
  }
  return {std::move(plan), reader.blanks()};
}

void check_header(const Field& document) {
  document.allow_only(std::array{plan_reader_file::version_key, plan_reader_file::neighbors_key,
                                 plan_reader_file::unit_key, plan_reader_file::steps_key});
  document.require(plan_reader_file::version_key, "1, the version of the format").integer(1, 1);
}

}  // namespace renyi::plan
