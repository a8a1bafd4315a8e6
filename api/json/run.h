// Requests that tell their plan as a "run": written out in steps, and spoken of as the run in answers and errors.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "json/field.h"
#include "renyi/error.h"
#include "renyi/run.h"

namespace renyi::api {

// A "run" read: the one step that it comes to, as a plan file has it, and what it was made of.
class ReadRun {
 public:
  // Throws InvalidArgument. One number of the run may be null.
  explicit ReadRun(const json::Field& run);

  const ResolvedRun& parts() const noexcept { return parts_; }
  const json::Json& step() const noexcept { return step_; }

  // The place in the run of a place in the steps: "run.steps" of "steps[0].count".
  std::string place_of(std::string_view path) const;
  // The same error, said of the run.
  InvalidArgument renamed(const InvalidArgument& error) const;
  Unsupported renamed(const Unsupported& error) const;

  // Puts places in the run into the answer, and adds "run", {"steps"?,"sampling"?,"rules"}, and "warnings".
  void complete(json::Json& answer, const json::Field& request) const;

 private:
  std::string path_;  // of the run
  ResolvedRun parts_;
  json::Json step_ = json::Json::object();
};

// The request with "steps" in the place of its "run", and what a report says of a run by itself.
json::Json written_out(const json::Field& request, const ReadRun& run, bool is_report);

}  // namespace renyi::api
