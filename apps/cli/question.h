// What the command line asks: flags or a plan file, made into one request.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "api/api.h"
#include "apps/cli/flags.h"

namespace renyi::cli {

// What the user told us about the run that a request has no place for.
struct RunFacts {
  std::optional<std::int64_t> dataset_size;
  std::string rate_rule;   // "B / N = 256 / 60000"
  std::string batch_rule;  // "ceil(N / B) = ceil(60000 / 256) = 235 an epoch"
  std::string steps_rule;  // "ceil(epochs * N / B) = ceil(60 * 60000 / 256) = 14063"
  bool of_epochs = false;  // told in batches and epochs, as of a data loader
};

struct Question {
  api::Json request = api::Json::object();
  RunFacts facts;
  // Where in the request a flag went: "steps[0].noise_multiplier" -> "--noise-multiplier".
  std::map<std::string, std::string, std::less<>> flag_at;
  std::string source;       // the file; empty when flags describe the run
  std::string source_path;  // where in the request the file's content stands: "pair"; empty if at the top

  void set(const std::string& key, api::Json value, const std::string& flag);

  // An error's message, with the flag or the file it is about instead of the path.
  std::string explain(std::string_view path, std::string_view message) const;
};

// "neighbors", "unit" and "steps" of the request, from the plan file or the flags.
// `solve` is the flag to solve for, or empty; of flags only.
void set_run(Question& question, const Flags& flags, const std::string& solve);

}  // namespace renyi::cli
