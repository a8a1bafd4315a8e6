// {"op":"profile","steps":[...],"epsilons":[0,1],"deltas":[1e-5]}
//   -> {"at_epsilons":[{"epsilon","renyi":{"delta",...},"exact":{...}},...],
//       "at_deltas":[{"delta","renyi":{"epsilon",...},"exact":{...}},...],"note"?}
#include "renyi/profile.h"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "api/json/answers.h"
#include "api/json/ops.h"
#include "api/json/options.h"
#include "json/write.h"

namespace renyi::api {

namespace profile_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 7> keys{"epsilons", "deltas", "want",      "tolerance",
                                               "memory",   "orders", "conversion"};

// One accountant for all points, made when the first is asked for.
class Profile {
 public:
  explicit Profile(const Request& request)
      : plan_(request.plan()), conversion_(read_conversion(request)), wanted_(read_want(request)) {}

  Json at_epsilon(double epsilon) {
    Json row = Json::object();
    row["epsilon"] = json::number(epsilon);
    if (wanted_.renyi) row["renyi"] = write_bound(renyi_delta(curve(), epsilon, conversion_));
    if (wanted_.exact) {
      row["exact"] = exact_part(wanted_, Figure::delta, [&] { return accountant().delta(epsilon); });
    }
    return row;
  }

  Json at_delta(double delta) {
    Json row = Json::object();
    row["delta"] = json::number(delta);
    if (wanted_.renyi) row["renyi"] = write_bound(renyi_epsilon(curve(), delta, conversion_));
    if (wanted_.exact) {
      row["exact"] = exact_part(wanted_, Figure::epsilon, [&] { return accountant().epsilon(delta); });
    }
    return row;
  }

  const Plan& plan() const { return plan_; }

 private:
  const Curve& curve() {
    if (!curve_) curve_ = compose(plan_);
    return *curve_;
  }
  const ExactAccountant& accountant() {
    if (!accountant_) accountant_.emplace(plan_, wanted_.options);
    return *accountant_;
  }

  Plan plan_;
  ConversionOptions conversion_;
  Wanted wanted_;
  std::shared_ptr<const Curve> curve_;
  std::optional<ExactAccountant> accountant_;
};

std::vector<double> epsilons_of(const Field& request, const Plan& plan) {
  const auto field = request.find("epsilons");
  if (field) return read_numbers(*field, "numbers of at least 0", [](double e) { return e >= 0; });
  return request.find("deltas") ? std::vector<double>{} : profile_epsilons(plan);
}

std::vector<double> deltas_of(const Field& request) {
  const auto field = request.find("deltas");
  if (!field) return {};
  return read_numbers(*field, "numbers in [0, 1]", [](double d) { return d >= 0 && d <= 1; });
}

Json run(const Request& request) {
  Profile profile(request);
  const auto epsilons = epsilons_of(request, profile.plan()), deltas = deltas_of(request);
  Json answer = Json::object();
  for (const double epsilon : epsilons) answer["at_epsilons"].push_back(profile.at_epsilon(epsilon));
  for (const double delta : deltas) answer["at_deltas"].push_back(profile.at_delta(delta));
  const Json& first = answer.front().front();  // neither list is ever empty
  if (first.contains("exact")) note_promises(answer, first.at("exact"), profile.plan());
  return answer;
}

}  // namespace
}  // namespace profile_file

constinit const Op profile_op{"profile", profile_file::keys, profile_file::run};

}  // namespace renyi::api
