// Flags that specify the sampling of a step.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/flags/question.h"
#include "renyi/run.h"

namespace renyi::cli {

inline constexpr std::string_view rate_flag = "--sampling-rate";
inline constexpr std::string_view batch_flag = "--batch-size";
inline constexpr std::string_view dataset_flag = "--dataset-size";
inline constexpr std::string_view epochs_flag = "--epochs";
inline constexpr std::string_view steps_flag = "--steps";

// The name of the value of --sampling, whose choices are too many for one line of a help text.
inline constexpr std::string_view scheme_value = "SCHEME";

std::vector<FlagText> sampling_flags();

// Returns the names of all sampling schemes.
std::vector<std::string> scheme_names();

// Maps flags to values: numbers, and null for the one to be solved for.
using Values = std::map<std::string, api::Document, std::less<>>;

// Returns the integer value of a flag, if it was given.
std::optional<std::int64_t> integer(const Flags& flags, std::string_view flag);
[[noreturn]] void refuse(const Flags& flags, std::string_view flag, std::string allowed);

// Returns the flag of a member of RunSizes: "--batch-size" for "batch_size".
std::string flag_of_size(std::string_view size);

// Returns the size that a flag sets, if it can be solved for; std::nullopt for other flags.
std::optional<UnknownSize> size_set_by(std::string_view flag);

// Returns the sizes that flags give.
RunSizes sizes_of(const Flags& flags);

// Resolves the sizes to steps and sampling; errors name flags. Throws InvalidArgument with the flag.
ResolvedRun resolved_run(const Flags& flags, std::optional<UnknownSize> open);

}  // namespace renyi::cli
