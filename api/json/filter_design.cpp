// {"op":"filter-design","steps":[...],"epsilon":6,"delta":1e-5} -> {"counts_steps":true,"kinds":[...],"best":"order"}
#include "api/filter_design.h"

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/json/ops.h"
#include "api/json/options.h"
#include "filter/budget_json.h"
#include "json/write.h"

namespace renyi::api {

namespace filter_design_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 3> keys{"epsilon", "delta", "counts"};

std::vector<std::int64_t> read_counts(const Field& list) {
  check_length(list);
  std::vector<std::int64_t> counts;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const Field& count : list.items()) counts.push_back(count.integer(1, most));
  return counts;
}

FilterDesignRequest read(const Request& request) {
  FilterDesignRequest asked{.plan = request.plan()};
  asked.epsilon = read_epsilon(request);
  asked.delta = read_delta(request);
  if (const auto counts = request.find("counts")) asked.options.counts = read_counts(*counts);
  return asked;
}

Json numbers(const std::vector<double>& list) {
  Json written = Json::array();
  for (const double number : list) written.push_back(json::number(number));
  return written;
}

Json write_kind(const KindDesign& design) {
  Json row = Json::object();
  row["kind"] = std::string(to_string(design.kind));
  if (design.epsilon) row["epsilon"] = json::number(*design.epsilon);
  if (design.budget) row["budget"] = filter::write_budget(*design.budget);
  row["count"] = design.count;
  if (!design.epsilons.empty()) row["epsilons"] = numbers(design.epsilons);
  if (!design.obstacle.empty()) row["unavailable"] = design.obstacle;
  return row;
}

Json write_fixed(const FixedDesign& design) {
  Json row = Json::object();
  if (design.epsilon) row["epsilon"] = json::number(*design.epsilon);
  if (design.count) row["count"] = *design.count;
  if (!design.epsilons.empty()) row["epsilons"] = numbers(design.epsilons);
  if (!design.obstacle.empty()) row["unavailable"] = design.obstacle;
  return row;
}

Json write(const FilterDesign& design) {
  Json answer = Json::object();
  answer["counted"] = design.counts_steps ? "steps" : "repetitions";
  answer["expected"] = design.expected;
  if (!design.counts.empty()) answer["counts"] = design.counts;
  Json& rows = answer["kinds"] = Json::array();
  for (const KindDesign& kind : design.kinds) rows.push_back(write_kind(kind));
  if (design.best) answer["best"] = std::string(to_string(design.kinds[*design.best].kind));
  Json& fixed = answer["if_fixed_in_advance"] = Json::object();
  fixed["exact"] = write_fixed(design.exact);
  fixed["renyi"] = write_fixed(design.renyi);
  return answer;
}

}  // namespace
}  // namespace filter_design_file

constinit const Op filter_design_op{"filter-design", filter_design_file::keys,
                                    run<filter_design_file::read, filter_design_file::write>};

FilterDesignRequest read_filter_design(const Document& request) {
  return filter_design_file::read(checked(filter_design_op, request));
}

std::string write(const Document& request, const FilterDesign& answer) {
  return written(filter_design_op, request, filter_design_file::write(answer));
}

}  // namespace renyi::api
