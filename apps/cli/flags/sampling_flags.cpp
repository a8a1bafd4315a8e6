#include "apps/cli/flags/sampling_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "apps/cli/flags/choice.h"
#include "apps/cli/flags/written_number.h"
#include "renyi/error.h"

namespace renyi::cli {

namespace sampling_flags_file {
namespace {

constexpr std::string_view scheme_flag = "--sampling";
constexpr std::string_view accumulation_flag = "--accumulation";
constexpr std::string_view limit_flag = "--batch-limit";
constexpr std::array<std::string_view, 8> sizes{"dataset_size", "batch_size",    "accumulation", "epochs",
                                                "steps",        "sampling_rate", "sampling",     "batch_limit"};

Scheme read_scheme(const std::string& name) {
  for (const Scheme scheme : all_schemes) {
    if (to_string(scheme) == name) return scheme;
  }
  refuse_choice(scheme_flag, name, scheme_names());
}

std::optional<double> number(const Flags& flags, std::string_view flag) {
  const auto text = flags.text(flag);
  return text ? std::optional(read_number(flag, *text)) : std::nullopt;
}

// Messages of the library quote the names of sizes; these are replaced by the flags that the user knows.
std::string with_flags(std::string text) {
  for (const std::string_view size : sizes) {
    const std::string quoted = fmt::format("\"{}\"", size);
    for (auto place = text.find(quoted); place != std::string::npos; place = text.find(quoted)) {
      text.replace(place, quoted.size(), flag_of_size(size));
    }
  }
  return text;
}

}  // namespace
}  // namespace sampling_flags_file

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const Scheme scheme : all_schemes) names.emplace_back(to_string(scheme));
  return names;
}

std::vector<FlagText> sampling_flags() {
  return {
      {std::string(sampling_flags_file::scheme_flag), std::string(scheme_value),
       fmt::format("how a step draws its records: {} (default: the first)", fmt::join(scheme_names(), ", "))},
      {.name = std::string(dataset_flag), .value = "N", .help = "number of records", .whole = true},
      {.name = std::string(batch_flag),
       .value = "B",
       .help = "records of a batch (Poisson: the expected number)",
       .whole = true},
      {.name = std::string(sampling_flags_file::accumulation_flag),
       .value = "A",
       .help = "batches into which the A * B records of one step are cut, none in two (default 1)",
       .rare = true,
       .whole = true},
      {.name = std::string(sampling_flags_file::limit_flag),
       .value = "L",
       .help = "truncated-poisson: the most records a step can take",
       .rare = true,
       .whole = true},
  };
}

std::optional<std::int64_t> integer(const Flags& flags, std::string_view flag) {
  const auto text = flags.text(flag);
  return text ? std::optional(read_integer(flag, *text)) : std::nullopt;
}

void refuse(const Flags& flags, std::string_view flag, std::string allowed) {
  throw InvalidArgument(std::string(flag), flags.text(flag).value_or("nothing"), std::move(allowed));
}

std::string flag_of_size(std::string_view size) {
  std::string name(size);
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

std::optional<UnknownSize> size_set_by(std::string_view flag) {
  for (const UnknownSize size : all_unknown_sizes) {
    if (flag_of_size(to_string(size)) == flag) return size;
  }
  return std::nullopt;
}

RunSizes sizes_of(const Flags& flags) {
  RunSizes sizes{.dataset_size = integer(flags, dataset_flag),
                 .batch_size = integer(flags, batch_flag),
                 .accumulation = integer(flags, sampling_flags_file::accumulation_flag),
                 .epochs = sampling_flags_file::number(flags, epochs_flag),
                 .steps = integer(flags, steps_flag),
                 .sampling_rate = sampling_flags_file::number(flags, rate_flag),
                 .sampling = {},
                 .batch_limit = integer(flags, sampling_flags_file::limit_flag)};
  if (const auto name = flags.text(sampling_flags_file::scheme_flag)) {
    sizes.sampling = sampling_flags_file::read_scheme(*name);
  }
  return sizes;
}

ResolvedRun resolved_run(const Flags& flags, std::optional<UnknownSize> open) {
  const RunSizes sizes = sizes_of(flags);
  try {
    ResolvedRun parts = renyi::resolved_run(sizes, open);
    parts.steps_rule = sampling_flags_file::with_flags(std::move(parts.steps_rule));
    return parts;
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(flag_of_size(error.path()), error.value(), sampling_flags_file::with_flags(error.allowed()));
  }
}

}  // namespace renyi::cli
