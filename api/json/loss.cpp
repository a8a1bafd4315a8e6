// {"op":"loss","steps":[...],"at_least":[1],"within":[1],"orders":[1]}
//   -> {"remove":{"known","mean","variance","skewness","log_mgf","at_least","within"},"add":{...}}
#include "renyi/loss.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "api/json/ops.h"
#include "api/json/options.h"
#include "json/write.h"

namespace renyi::api {

namespace loss_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 4> keys{"direction", "orders", "at_least", "within"};

struct Asked {
  std::vector<double> orders{1, 2}, at_least{0, 1, 2, 4, 8}, within{1, 2, 4, 8};
};

Asked read_asked(const Field& request) {
  Asked asked;
  if (const auto field = request.find("orders")) {
    asked.orders = read_numbers(*field, "numbers in [0, 1e100]", [](double s) { return s >= 0 && s <= largest_order; });
  }
  if (const auto field = request.find("at_least")) {
    asked.at_least = read_numbers(*field, "finite numbers", [](double t) { return std::isfinite(t); });
  }
  if (const auto field = request.find("within")) {
    asked.within = read_numbers(*field, "numbers of at least 0", [](double e) { return e >= 0; });
  }
  return asked;
}

Json interval(double lower, double upper) {
  Json ends = Json::object();
  ends["lower"] = json::number(lower);
  ends["upper"] = json::number(upper);
  return ends;
}

// Of what is only bounded from above, the upper end alone.
Json interval(bool known, const Bounded& value) {
  if (known) return interval(value.lower(), value.upper());
  Json end = Json::object();
  end["upper"] = json::number(value.upper());
  return end;
}

Json row(std::string_view key, double at, const Json& ends) {
  Json result = Json::object();
  result[std::string(key)] = at;
  result.update(ends);
  return result;
}

Json row(std::string_view key, double at, const Probability& p) {
  Json result = row(key, at, interval(p.lower, p.upper));
  result["method"] = std::string(to_string(p.method));
  return result;
}

Json write_loss(const PrivacyLoss& loss, const Asked& asked) {
  const bool known = loss.known();
  Json answer = Json::object();
  answer["known"] = known;
  answer["mean"] = interval(known, loss.mean());
  if (known) {
    const Cumulants c = loss.cumulants();
    answer["variance"] = interval(true, {c.variance, c.variance_error});
    if (const auto skewness = loss.skewness()) answer["skewness"] = interval(skewness->lower, skewness->upper);
  }
  for (const char* list : {"log_mgf", "at_least", "within"}) answer[list] = Json::array();
  for (const double s : asked.orders) answer["log_mgf"].push_back(row("order", s, interval(known, loss.log_moment(s))));
  for (const double t : asked.at_least) answer["at_least"].push_back(row("loss", t, loss.at_least(t)));
  for (const double e : asked.within) answer["within"].push_back(row("epsilon", e, loss.within(e)));
  return answer;
}

Json run(const Request& request) {
  const Plan plan = request.plan();
  const Asked asked = read_asked(request);
  const auto only = request.find("direction");
  Json answer = Json::object();
  for (const auto& [name, direction] : {std::pair{"remove", Direction::remove}, std::pair{"add", Direction::add}}) {
    if (only && read_direction(*only) != direction) continue;
    answer[name] = write_loss(PrivacyLoss(plan, direction), asked);
  }
  return answer;
}

}  // namespace
}  // namespace loss_file

constinit const Op loss_op{"loss", loss_file::keys, loss_file::run};

}  // namespace renyi::api
