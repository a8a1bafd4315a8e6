// api::answer on any bytes: always one line of valid JSON, never an exception,
// and never an internal error.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "api/api.h"

namespace {

void require(bool condition, std::string_view what, std::string_view request, std::string_view answer) {
  if (condition) return;
  std::fprintf(stderr, "%.*s\nrequest: %.*s\nanswer: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(request.size()), request.data(), static_cast<int>(answer.size()), answer.data());
  std::abort();
}

bool is_internal_error(const nlohmann::ordered_json& answer) {
  return answer.contains("error") && answer["error"]["kind"] == "internal";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t enough = 2048;  // longer requests cost time and show nothing new
  if (size > enough) return 0;
  const std::string_view request(reinterpret_cast<const char*>(data), size);
  // Proofs take their time; what can go wrong with certificates is for fuzz_certificate.
  if (request.find("certify") != std::string_view::npos) return 0;
  const std::string text = renyi::api::answer(request);
  const auto answer = nlohmann::ordered_json::parse(text, nullptr, false);
  require(answer.is_object() && text.find('\n') == std::string::npos, "not one line of JSON", request, text);
  require(!is_internal_error(answer), "an internal error", request, text);
  require(text.find("nan") == std::string::npos || request.find("nan") != std::string_view::npos, "NaN", request, text);
  return 0;
}
