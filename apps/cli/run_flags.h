// Flags that describe a run: one mechanism, how often, and on what data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/question.h"

namespace renyi::cli {

inline constexpr std::string_view plan_argument = "PLAN";

// The PLAN argument and the flags.
std::vector<FlagText> run_flags();

// With a plan file nothing else may describe the run.
void refuse_run_flags(const Flags& flags);

std::optional<std::int64_t> dataset_size(const Flags& flags);

void set_run_by_flags(Question& question, const Flags& flags, const std::string& solve);

}  // namespace renyi::cli
