// Flags that describe a run: one mechanism, how often it runs, and its data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/flags/question.h"

namespace renyi::cli {

inline constexpr std::string_view plan_argument = "PLAN";
// The groups of the flags in help texts: those of a DP-SGD run, and all others.
inline constexpr const char* the_run = "The run";
inline constexpr const char* more_about_the_run = "More about the run";

// Returns the PLAN argument and the flags.
std::vector<FlagText> run_flags();

// Sets "neighbors", "unit" and "steps" of the request from the plan file or the flags. `solve` is the flag to solve
// for, or empty; a plan file allows none.
void set_run(Question& question, const Flags& flags, const std::string& solve);

// Puts the sampling and the number of steps of `question.run` into the one step of the request, which was set by flags.
void insert_run(Question& question);

}  // namespace renyi::cli
