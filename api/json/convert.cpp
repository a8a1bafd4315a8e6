// {"op":"convert","from":"opacus","record":[[1.1,0.01,10000]]} -> {"plan":{"renyi":1,...}}
#include "api/convert.h"

#include <array>
#include <nlohmann/json.hpp>

#include "api/json/ops.h"
#include "convert/record.h"
#include "json/parse.h"
#include "plan/plan_reader.h"
#include "renyi/plan.h"

namespace renyi::api {

namespace convert_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 3> keys{"from", "record", "neighbors"};

ConvertRequest read(const Request& request) {
  const Neighbors neighbors = plan::read_neighbors(request);
  const Field record = request.require("record", "what the other tool recorded");
  const auto from = request.find("from");
  const convert::Tool tool = from ? from->choose<convert::Tool>(convert::all_tools) : convert::tool_of(record);
  return {convert::from(tool, record, neighbors)};
}

Json write(const ConvertAnswer& found) {
  Json answer = Json::object();
  answer["plan"] = json::parse(write_plan(found.plan));
  return answer;
}

}  // namespace
}  // namespace convert_file

constinit const Op convert_op{"convert", convert_file::keys, run<convert_file::read, convert_file::write>, false};

ConvertRequest read_convert(const Document& request) { return convert_file::read(checked(convert_op, request)); }

std::string write(const Document& request, const ConvertAnswer& answer) {
  return written(convert_op, request, convert_file::write(answer));
}

}  // namespace renyi::api
