#include "apps/cli/want_flags.h"

#include <fmt/format.h>

#include "apps/cli/answer_flags.h"
#include "apps/cli/number.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace {

const std::string want_flag = "--want";
const std::string memory_flag = "--memory";
constexpr std::int64_t most_memory = 1 << 20;  // MiB, as in requests

}  // namespace

std::vector<FlagText> width_flags() {
  return {
      {"--tolerance", "WIDTH",
       "how narrow the exact interval is to be: of epsilon, or of delta relative to itself (default 1e-5)",
       asked_group},
      {memory_flag, "MIB", "how much memory that may take, in MiB (default 512)", asked_group},
  };
}

std::vector<FlagText> want_flags() {
  std::vector<FlagText> flags{
      {want_flag, "both|renyi|exact", "the Renyi bound, the exact interval, or both (default both)", asked_group}};
  for (FlagText& flag : width_flags()) flags.push_back(std::move(flag));
  return flags;
}

void set_width(Question& question, const Flags& flags) {
  set_number(question, flags, "tolerance");
  if (const auto text = flags.text(memory_flag)) {
    question.set("memory", read_integer(memory_flag, *text, most_memory), memory_flag);
  }
}

void set_want(Question& question, const Flags& flags) {
  if (const auto want = flags.text(want_flag)) {
    if (*want != "both" && *want != "renyi" && *want != "exact") {
      throw InvalidArgument(want_flag, fmt::format("\"{}\"", *want), "one of both, renyi, exact");
    }
    if (*want != "both") question.set("want", api::Json::array({*want}), want_flag);
  }
  set_width(question, flags);
}

}  // namespace renyi::cli
