// One step of a plan from JSON. No mechanism is named here: what a step may say
// follows from the table of mechanisms.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "json/field.h"
#include "plan/plan_reader.h"
#include "renyi/plan.h"
#include "renyi/select.h"

namespace renyi::plan {

class StepReader {
 public:
  enum class Blanks { refused, one };

  StepReader(const Adjacency& relation, Blanks blanks) : relation_(relation), blanks_(blanks) {}

  Steps read(const json::Field& steps);
  // A member of the document itself that may be the one left open.
  void note_if_blank(const json::Field& document, std::string_view key);
  const std::optional<Blank>& blank() const noexcept { return blank_; }

 private:
  Step read_step(const json::Field& step);
  Step read_group(const json::Field& step, const json::Field& steps);
  Step read_parallel(const json::Field& step, const json::Field& parts);
  Step read_select(const json::Field& step, const json::Field& steps);
  Mechanism read_mechanism(const json::Field& step);
  Mechanism read_parameters(const json::Field& step);
  Runs read_open_runs(const json::Field& runs);
  // A value to stand for a blank, where the mechanism's default does not go with its other numbers.
  Mechanism with_stand_in(const Mechanism& known, std::vector<NamedNumber> numbers,
                          const std::vector<NamedRows>& tables, const Parameter* open) const;
  Sampling read_sampling(const json::Field& sampling);
  std::int64_t read_count(const json::Field& step);
  // True when the value is null, which is then remembered as the blank.
  bool is_blank(const json::Field& value, std::string_view key, std::string_view parameter);

  Adjacency relation_;
  Blanks blanks_;
  std::vector<std::size_t> path_;
  std::optional<Blank> blank_;
};

}  // namespace renyi::plan
