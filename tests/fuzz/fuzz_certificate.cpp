// Certificates of any bytes: a typed error or a list of faults, each of one line. The digest is put right, so that what
// lies behind it is reached. Nothing is recomputed: that takes its time.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "certificate/verify.h"
#include "json/parse.h"
#include "json/write.h"
#include "renyi/error.h"

namespace {

void require(bool condition, std::string_view what, std::string_view text) {
  if (condition) return;
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(), static_cast<int>(text.size()),
               text.data());
  std::abort();
}

bool is_one_line(std::string_view text) { return !text.empty() && text.find('\n') == std::string_view::npos; }

std::string with_right_digest(std::string_view text) {
  renyi::json::Json document = renyi::json::parse(text);
  if (document.is_object()) document["digest"] = renyi::certificate::digest_of(document);
  return renyi::json::write(document);
}

// What the verifier accepts so far, it would write in the same way; only the library's versions are its own.
void check_round_trip(const renyi::certificate::Certificate& certificate, std::string_view text) {
  const auto again = renyi::certificate::structure_of(renyi::certificate::write(certificate));
  require(again.faults.empty(), "does not read back", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto structure = renyi::certificate::structure_of(with_right_digest(text));
    for (const std::string& fault : structure.faults) require(is_one_line(fault), "a fault of several lines", text);
    if (structure.faults.empty()) check_round_trip(structure.certificate.value(), text);
  } catch (const renyi::Error& error) {
    require(is_one_line(error.what()), "a message of several lines", text);
  }
  return 0;
}
