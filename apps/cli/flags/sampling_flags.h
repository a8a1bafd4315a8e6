// Flags that say how the records of a step are drawn.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/flags/question.h"
#include "renyi/sampling.h"

namespace renyi::cli {

inline constexpr std::string_view rate_flag = "--sampling-rate";
inline constexpr std::string_view batch_flag = "--batch-size";
inline constexpr std::string_view dataset_flag = "--dataset-size";

std::vector<FlagText> sampling_flags();

// Values by flag: numbers, and null for what is to be solved for.
using Values = std::map<std::string, api::Document, std::less<>>;

// A whole number, if the flag was given.
std::optional<std::int64_t> integer(const Flags& flags, std::string_view flag);
[[noreturn]] void refuse(const Flags& flags, std::string_view flag, std::string allowed);

// The records of one step: those of a batch, A times.
struct StepBatch {
  std::int64_t records = 0;
  std::string symbols;  // "B", or "A * B"
  std::string numbers;  // "64", or "4 * 64"
};
std::optional<StepBatch> step_batch(const Flags& flags);

// The scheme named, or Poisson where a rate or a batch says that there is one. `solved`: the rate is asked for.
std::optional<Scheme> scheme_of(const Flags& flags, bool solved);

// Puts the rate that the batches make among the values, where the scheme has a rate.
void add_rate(Values& values, Question& question, const Flags& flags, Scheme scheme);

// Whether a flag sets one whole number of the scheme, so that it can be solved for.
bool sets_whole_number(std::string_view flag, Scheme scheme);

// The member "sampling" of the step; null for what the flag `solve` would set. Takes the rate out of the values.
api::Document sampling_by_flags(Values& values, Question& question, const Flags& flags, Scheme scheme,
                                std::string_view solve);

}  // namespace renyi::cli
