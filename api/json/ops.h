// The table of operations: one entry and one file per operation. A file reads a JSON request into a value of
// api/NAME.h, and writes the answer as JSON; between the two there is no JSON.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "api/deprecations.h"
#include "api/document.h"
#include "json/field.h"
#include "renyi/plan.h"
#include "renyi/run.h"

namespace renyi::api {

// The members of a request, and the plan to which it refers.
class Request : public json::Field {
 public:
  explicit Request(const json::Json& members, const Plan* plan = nullptr, const ResolvedRun* run = nullptr)
      : Field(members), plan_(plan), run_(run) {}

  // The plan is given as a value in addition to the members, or by "neighbors" and "steps" among them.
  Plan plan() const;
  bool has_plan() const noexcept { return plan_ != nullptr; }
  // Returns the run from which "steps" was made; nullptr if the request has steps of its own.
  const ResolvedRun* run() const noexcept { return run_; }
  // Returns a request with other members about the same.
  Request with(const json::Json& members) const { return Request(members, plan_, run_); }

 private:
  const Plan* plan_;
  const ResolvedRun* run_;
};

struct Op {
  std::string_view name;
  std::span<const std::string_view> keys;  // besides "op", "id" and those of a plan
  json::Json (*run)(const Request& request);
  bool about_a_plan = true;  // takes "neighbors" and "steps"
};

// Makes the `run` of an entry from three steps: read the request, answer it (renyi::api::answer, api/NAME.h), write the
// answer.
template <auto read, auto write>
json::Json run(const Request& request) {
  return write(answer(read(request)));
}

// Evaluates a request by the whole table; members that `table` says are deprecated are understood, and the answer
// warns of them. Throws renyi::Error.
json::Json evaluate(const json::Json& request, std::span<const Deprecation> table = deprecations());
// Evaluates a request of one operation by another function than its own. Throws renyi::Error.
json::Json evaluate_as(const Op& op, const json::Json& request, const std::function<json::Json(const Request&)>& run);
// All operations.
std::span<const Op* const> operations() noexcept;

// These are for front ends that hold a request and its answer: the request is checked as the table does it, and the
// members that the table adds to every answer are added.
Request checked(const Op& op, const Document& request);
std::string written(const Op& op, const Document& request, json::Json answer);

extern const Op rdp_op;
extern const Op epsilon_op;
extern const Op delta_op;
extern const Op calibrate_op;
extern const Op profile_op;
extern const Op tradeoff_op;
extern const Op explain_op;
extern const Op loss_op;
extern const Op compare_op;
extern const Op relate_op;
extern const Op divergence_op;
extern const Op convert_op;
extern const Op certify_op;
extern const Op verify_op;
extern const Op mechanisms_op;
extern const Op report_op;
extern const Op accuracy_op;
extern const Op filter_op;
extern const Op odometer_op;
extern const Op filter_design_op;
extern const Op matrix_design_op;
extern const Op ledger_op;
extern const Op figure_op;

}  // namespace renyi::api
