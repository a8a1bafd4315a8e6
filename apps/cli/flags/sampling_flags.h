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
#include "renyi/run.h"

namespace renyi::cli {

inline constexpr std::string_view rate_flag = "--sampling-rate";
inline constexpr std::string_view batch_flag = "--batch-size";
inline constexpr std::string_view dataset_flag = "--dataset-size";
inline constexpr std::string_view epochs_flag = "--epochs";
inline constexpr std::string_view steps_flag = "--steps";

std::vector<FlagText> sampling_flags();

// Values by flag: numbers, and null for what is to be solved for.
using Values = std::map<std::string, api::Document, std::less<>>;

// A whole number, if the flag was given.
std::optional<std::int64_t> integer(const Flags& flags, std::string_view flag);
[[noreturn]] void refuse(const Flags& flags, std::string_view flag, std::string allowed);

// The flag of a member of RunSizes: "--batch-size" of "batch_size".
std::string flag_of_size(std::string_view size);

// The size that a flag sets, where it can be left open; nothing for other flags.
std::optional<UnknownSize> size_set_by(std::string_view flag);

// The sizes that flags tell, as they are typed.
RunSizes sizes_of(const Flags& flags);

// What they come to, in the words of flags. Throws InvalidArgument with the flag.
ResolvedRun resolved_run(const Flags& flags, std::optional<UnknownSize> open);

}  // namespace renyi::cli
