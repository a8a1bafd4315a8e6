// What can be asked: one row an operation, one file each.
#pragma once

#include <span>
#include <string_view>

#include "json/field.h"
#include "renyi/plan.h"

namespace renyi::api {

// The members of a request, and the plan it is about.
class Request : public json::Field {
 public:
  explicit Request(const json::Json& members, const Plan* plan = nullptr) : Field(members), plan_(plan) {}

  // Given as a value beside the members, or by "neighbors" and "steps" among them.
  Plan plan() const;
  bool has_plan() const noexcept { return plan_ != nullptr; }

 private:
  const Plan* plan_;
};

struct Op {
  std::string_view name;
  std::span<const std::string_view> keys;  // besides "op", "id" and those of a plan
  json::Json (*run)(const Request& request);
  bool about_a_plan = true;  // takes "neighbors" and "steps"
};

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

}  // namespace renyi::api
