// {"op":"convert","from":"opacus","record":[[1.1,0.01,10000]]} -> {"plan":{"renyi":1,...}}
#include <array>
#include <nlohmann/json.hpp>

#include "api/json/ops.h"
#include "convert/record.h"
#include "json/parse.h"
#include "plan/plan_reader.h"
#include "renyi/plan_json.h"

namespace renyi::api {

namespace convert_file {
namespace {

using json::Field;
using json::Json;

constexpr std::array<std::string_view, 3> keys{"from", "record", "neighbors"};

Json run(const Request& request) {
  const Neighbors neighbors = plan::read_neighbors(request);
  const Field record = request.require("record", "what the other tool recorded");
  const auto from = request.find("from");
  const convert::Tool tool = from ? from->choose<convert::Tool>(convert::all_tools) : convert::tool_of(record);
  Json answer = Json::object();
  answer["plan"] = json::parse(write_plan(convert::from(tool, record, neighbors)));
  return answer;
}

}  // namespace
}  // namespace convert_file

constinit const Op convert_op{"convert", convert_file::keys, convert_file::run, false};

}  // namespace renyi::api
