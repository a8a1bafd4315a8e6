// read_filter on any bytes: a typed error, or a filter that writes and reads back. Fuzzed bytes never have the right
// checksum, so that the same document is read again with it.
#include <fmt/format.h>

#include <boost/crc.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "json/parse.h"
#include "json/write.h"
#include "renyi/error.h"
#include "renyi/filter.h"

namespace {

void require(bool condition, std::string_view what, std::string_view text) {
  if (condition) return;
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(), static_cast<int>(text.size()),
               text.data());
  std::abort();
}

// The text that the library writes; empty when the filter is refused.
std::string canonical(std::string_view text) {
  try {
    return renyi::write_filter(renyi::read_filter(text));
  } catch (const renyi::Error& error) {
    require(std::string_view(error.what()).find('\n') == std::string_view::npos, "a message of several lines", text);
    return {};
  }
}

// The document with the checksum that a filter file has; empty if it is no JSON object.
std::string with_checksum(std::string_view text) {
  renyi::json::Parsed parsed = renyi::json::try_parse(text);
  if (parsed.error || !parsed.value.is_object()) return {};
  parsed.value.erase("checksum");
  const std::string body = renyi::json::write(parsed.value);
  boost::crc_optimal<64, 0x42F0E1EBA9EA3693, ~std::uint64_t{0}, ~std::uint64_t{0}, true, true> crc;
  crc.process_bytes(body.data(), body.size());
  parsed.value["checksum"] = fmt::format("crc64:{:016x}", crc.checksum());
  return renyi::json::write(parsed.value);
}

void check(std::string_view text) {
  const std::string written = canonical(text);
  if (!written.empty()) require(canonical(written) == written, "does not read back", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t enough = 2048;  // longer files cost time and show nothing new
  if (size > enough) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text);
  if (const std::string again = with_checksum(text); !again.empty()) check(again);
  return 0;
}
