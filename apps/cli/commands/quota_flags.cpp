#include "apps/cli/commands/quota_flags.h"

#include <fmt/format.h>

#include <charconv>

#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::cli {

std::size_t read_count(const std::string& flag, const std::string& text, std::size_t most) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most) {
    throw InvalidArgument(flag, text, fmt::format("a whole number from 1 to {}", most));
  }
  return value;
}

api::TokenQuota read_quota(const Flags& flags) {
  api::TokenQuota quota;
  if (const auto text = flags.text("--calls-per-minute")) {
    quota.calls =
        static_cast<std::int64_t>(read_count("--calls-per-minute", *text, std::size_t{api::most_calls_per_minute}));
  }
  if (const auto text = flags.text("--cpu-per-minute")) {
    quota.cpu_seconds = std::chrono::duration<double>(read_time("--cpu-per-minute", *text)).count();
    if (!(quota.cpu_seconds > 0 && quota.cpu_seconds <= api::most_cpu_per_minute)) {
      throw InvalidArgument("--cpu-per-minute", *text, "a time up to 60000s, such as 20s");
    }
  }
  return quota;
}

}  // namespace renyi::cli
