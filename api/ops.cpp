#include "api/ops.h"

#include <array>
#include <string>
#include <vector>

#include "plan/plan_reader.h"

namespace renyi::api {
namespace {

constexpr std::array<std::string_view, 2> common_keys{"op", "id"};
constexpr std::array<std::string_view, 3> plan_keys{"neighbors", "unit", "steps"};

constexpr std::array all_ops{
    &rdp_op,     &epsilon_op, &delta_op,      &calibrate_op, &profile_op, &tradeoff_op, &explain_op,    &loss_op,
    &compare_op, &relate_op,  &divergence_op, &convert_op,   &certify_op, &verify_op,   &mechanisms_op, &report_op,
};

// Only where a request is refused: it takes longer than reading a small one.
std::string known_names() {
  std::vector<std::string_view> names;
  for (const Op* op : all_ops) names.push_back(op->name);
  return json::Field::one_of(names);
}

const Op& named_by(const json::Field& name) {
  for (const Op* op : all_ops) {
    if (op->name == name.value()) return *op;
  }
  name.refuse(known_names());
}

}  // namespace

Plan Request::plan() const { return plan_ ? *plan_ : plan::read_plan(*this); }

const Op& op_of(const Request& request) {
  const auto name = request.find("op");
  const Op& op = named_by(name ? *name : request.require("op", known_names()));
  std::vector<std::string_view> keys(common_keys.begin(), common_keys.end());
  if (op.about_a_plan && !request.has_plan()) keys.insert(keys.end(), plan_keys.begin(), plan_keys.end());
  keys.insert(keys.end(), op.keys.begin(), op.keys.end());
  request.allow_only(keys);
  return op;
}

}  // namespace renyi::api
