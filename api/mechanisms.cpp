#include "api/mechanisms.h"

#include "api/api.h"
#include "renyi/extras/certify.h"
#include "renyi/plan.h"

namespace renyi::api {

namespace mechanisms_file {
namespace {

std::string_view words_for(RunsLaw law) {
  switch (law) {
    case RunsLaw::geometric: return "one run or more; after each, the same chance of another";
    case RunsLaw::logarithmic: return "one run or more, k of them in proportion to (1 - gamma)^k / k";
    case RunsLaw::negative_binomial: return "one run or more, by the truncated negative binomial law";
    case RunsLaw::poisson: return "no run or more, by the Poisson law; without a run nothing is published";
  }
  return "";
}

std::string_view words_for(Scheme scheme) {
  switch (scheme) {
    case Scheme::poisson: return "each record by itself, with the same probability";
    case Scheme::fixed_size: return "so many different records, all choices equally likely";
    case Scheme::with_replacement: return "so many independent draws; a record may be drawn several times";
    case Scheme::truncated_poisson: return "as poisson; of more records than the limit, so many stay, at random";
    case Scheme::shuffled: return "all records in random order, cut into batches; a step is an epoch";
    case Scheme::random_allocation:
      return "each record by itself, in one or more batches of each epoch; a step is an epoch";
  }
  return "";
}

MechanismEntry entry_of(const Mechanism& mechanism) {
  const auto curve = mechanism.curve();
  return {.mechanism = mechanism,
          .notes = mechanism.notes(),
          .known_by = curve->knowledge(),
          .dominated = curve->dominating_curve() != nullptr,
          .own_group_rule = mechanism.for_group(2).has_value(),
          .certified = has_certified_method(mechanism),
          .example = step_of(mechanism)};
}

std::vector<FormEntry> all_forms() {
  return {
      {"plan", "a group of steps, one after the other, as often as its count says",
       api::read(
           R"({"plan":[{"mechanism":"laplace","scale":20},{"mechanism":"gaussian","noise_multiplier":8}],"count":10})")},
      {"parallel", Mechanism(Parallel({})).summary(),
       api::read(
           R"({"parallel":[[{"mechanism":"laplace","scale":20}],[{"mechanism":"gaussian","noise_multiplier":8}]]})")},
      {"select", "the best result of a random number of runs of the steps, as runs says; only it is published",
       api::read(R"({"select":[{"mechanism":"gaussian","noise_multiplier":8}],"runs":{"law":"geometric","mean":20}})"),
       Mechanism(Select({}, Runs::geometric(1))).notes()},
  };
}

}  // namespace
}  // namespace mechanisms_file

MechanismsAnswer answer(const MechanismsRequest& asked) {
  if (asked.only != nullptr) return {.mechanisms = {mechanisms_file::entry_of(*asked.only)}};
  MechanismsAnswer answer{.forms = mechanisms_file::all_forms()};
  for (const Mechanism& mechanism : all_mechanisms()) {
    answer.mechanisms.push_back(mechanisms_file::entry_of(mechanism));
  }
  for (const Scheme scheme : all_schemes) {
    answer.schemes.push_back({to_string(scheme), mechanisms_file::words_for(scheme), parameters(scheme)});
  }
  for (const RunsLaw law : all_runs_laws) {
    answer.runs.push_back({to_string(law), mechanisms_file::words_for(law), parameters(law)});
  }
  return answer;
}

}  // namespace renyi::api
