// {"op":"loss","steps":[...],"at_least":[1],"within":[1],"orders":[1]}
//   -> {"remove":{"known","mean","variance","skewness","log_mgf","at_least","within"},"add":{...}}
#include "api/loss.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "api/json/ops.h"
#include "api/json/options.h"
#include "json/write.h"

namespace renyi::api {

namespace loss_file {
namespace {

using json::Json;

constexpr std::array<std::string_view, 4> keys{"direction", "orders", "at_least", "within"};

LossRequest read(const Request& request) {
  LossRequest asked{.plan = request.plan()};
  if (const auto field = request.find("orders")) {
    asked.orders = read_numbers(*field, "numbers in [0, 1e100]", [](double s) { return s >= 0 && s <= largest_order; });
  }
  if (const auto field = request.find("at_least")) {
    asked.at_least = read_numbers(*field, "finite numbers", [](double t) { return std::isfinite(t); });
  }
  if (const auto field = request.find("within")) {
    asked.within = read_numbers(*field, "numbers of at least 0", [](double e) { return e >= 0; });
  }
  if (const auto field = request.find("direction")) asked.direction = read_direction(*field);
  return asked;
}

void write(Json& to, const LossEnds& ends) {
  if (ends.lower) to["lower"] = json::number(*ends.lower);
  to["upper"] = json::number(ends.upper);
}

Json write(const LossEnds& ends) {
  Json json = Json::object();
  write(json, ends);
  return json;
}

Json write(const LossMoment& moment) {
  Json row = Json::object();
  row["order"] = moment.order;
  write(row, moment.log_mgf);
  return row;
}

Json write(const char* key, const LossProbability& found) {
  Json row = Json::object();
  row[key] = found.at;
  write(row, LossEnds{found.probability.lower, found.probability.upper});
  row["method"] = std::string(to_string(found.probability.method));
  return row;
}

Json write(const LossInDirection& loss) {
  Json answer = Json::object();
  answer["known"] = loss.known;
  answer["mean"] = write(loss.mean);
  if (loss.variance) answer["variance"] = write(*loss.variance);
  if (loss.skewness) answer["skewness"] = write(*loss.skewness);
  for (const char* list : {"log_mgf", "at_least", "within"}) answer[list] = Json::array();
  for (const LossMoment& moment : loss.moments) answer["log_mgf"].push_back(write(moment));
  for (const LossProbability& found : loss.at_least) answer["at_least"].push_back(write("loss", found));
  for (const LossProbability& found : loss.within) answer["within"].push_back(write("epsilon", found));
  return answer;
}

Json write_answer(const LossAnswer& found) {
  Json answer = Json::object();
  for (const LossInDirection& loss : found.directions) answer[std::string(to_string(loss.direction))] = write(loss);
  return answer;
}

}  // namespace
}  // namespace loss_file

constinit const Op loss_op{"loss", loss_file::keys, run<loss_file::read, loss_file::write_answer>};

LossRequest read_loss(const Document& request) { return loss_file::read(checked(loss_op, request)); }

std::string write(const Document& request, const LossAnswer& answer) {
  return written(loss_op, request, loss_file::write_answer(answer));
}

}  // namespace renyi::api
