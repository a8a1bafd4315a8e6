// What can be asked: one row an operation, one file each.
#pragma once

#include <span>
#include <string_view>

#include "json/field.h"

namespace renyi::api {

struct Op {
  std::string_view name;
  std::span<const std::string_view> keys;  // besides "op", "id" and those of a plan
  json::Json (*run)(const json::Field& request);
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

// The row a request names by "op". Refuses keys the operation does not know.
const Op& op_of(const json::Field& request);

}  // namespace renyi::api
