#include "number.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "renyi/error.h"

namespace renyi::cli {
namespace {

[[noreturn]] void refuse(std::string_view flag, std::string_view text, std::string allowed) {
  throw InvalidArgument(std::string(flag), fmt::format("\"{}\"", text), std::move(allowed));
}

}  // namespace

double read_number(std::string_view flag, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    refuse(flag, text, "a number such as 1.5 or 1e-5");
  }
  return value;
}

std::int64_t read_integer(std::string_view flag, std::string_view text, std::int64_t most) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most) {
    refuse(flag, text, fmt::format("a whole number from 1 to {}, written out", most));
  }
  return value;
}

}  // namespace renyi::cli
