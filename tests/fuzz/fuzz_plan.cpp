// read_plan on any bytes: a typed error, or a plan that writes and reads back.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "renyi/error.h"
#include "renyi/plan.h"

namespace {

void require(bool condition, std::string_view what, std::string_view text) {
  if (condition) return;
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(), static_cast<int>(text.size()),
               text.data());
  std::abort();
}

// The canonical text; empty when the plan is refused.
std::string canonical(std::string_view text) {
  try {
    return renyi::write_plan(renyi::read_plan(text));
  } catch (const renyi::Error& error) {
    require(std::string_view(error.what()).find('\n') == std::string_view::npos, "a message of several lines", text);
    return {};
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string written = canonical(text);
  if (!written.empty()) require(canonical(written) == written, "does not read back", text);
  return 0;
}
