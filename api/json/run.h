// Requests that give their plan as a "run". The run is replaced by steps, and answers and errors refer to the run
// again.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "json/field.h"
#include "renyi/error.h"
#include "renyi/run.h"

namespace renyi::api {

// A "run" that was read: the one step that it results in, as in a plan file, and the sizes it was computed from.
class ReadRun {
 public:
  // Throws InvalidArgument. One number of the run may be null.
  explicit ReadRun(const json::Field& run);

  const ResolvedRun& parts() const noexcept { return parts_; }
  const json::Json& step() const noexcept { return step_; }

  // Translates a path in the steps to a path in the run: "steps[0].count" to "run.steps".
  std::string place_of(std::string_view path) const;
  // Returns the same error with paths of the run.
  InvalidArgument renamed(const InvalidArgument& error) const;
  Unsupported renamed(const Unsupported& error) const;

  // Replaces paths in the answer by those of the run, and adds "run", {"steps"?,"sampling"?,"rules"}, and "warnings".
  void complete(json::Json& answer, const json::Field& request) const;

 private:
  std::string path_;  // the JSON path of the run
  ResolvedRun parts_;
  json::Json step_ = json::Json::object();
};

// Returns the request with "steps" instead of its "run"; for a report also the remarks that state the rules of the run.
json::Json written_out(const json::Field& request, const ReadRun& run, bool is_report);

}  // namespace renyi::api
