#include "certificate/library.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <vector>

#include "renyi/extras/certify.h"
#include "renyi/version.h"

namespace renyi::certificate {

using json::Field;

namespace library_file {
namespace {

// The answers of earlier certificates were not proven by their claims.
constexpr std::string_view first_proven_version = "0.8.1";

// Returns the numbers between the dots; std::nullopt if the text has another form. Leading zeros are not allowed.
std::optional<std::vector<unsigned>> parts_of(std::string_view text) {
  constexpr std::size_t most_digits = 6;
  std::vector<unsigned> parts;
  while (true) {
    const std::size_t dot = text.find('.');
    const std::string_view digits = text.substr(0, dot);
    unsigned part = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), part);
    if (error != std::errc{} || end != digits.data() + digits.size() || digits.size() > most_digits) return {};
    if (digits.size() > 1 && digits.front() == '0') return {};
    parts.push_back(part);
    if (dot == std::string_view::npos) return parts;
    text.remove_prefix(dot + 1);
  }
}

std::string read_version(const Field& library, std::string_view key, std::size_t fewest, std::size_t most,
                         std::string_view allowed) {
  const Field field = library.require(key, allowed);
  const auto parts = parts_of(field.text());
  if (!parts || parts->size() < fewest || parts->size() > most) field.refuse(allowed);
  return field.text();
}

bool is_earlier(std::string_view a, std::string_view b) { return parts_of(a) < parts_of(b); }

}  // namespace
}  // namespace library_file

// The version of FLINT may have a suffix: "3.1.3-p1".
Library this_library() {
  const std::string_view arb = arb_version_used();
  return {.renyi = std::string(version), .arb = std::string(arb.substr(0, arb.find_first_not_of("0123456789.")))};
}

Library read_library(const Field& field) {
  field.allow_only(std::array<std::string_view, 2>{"renyi", "arb"});
  return {
      .renyi = library_file::read_version(field, "renyi", 3, 3, "a version: MAJOR.MINOR.PATCH"),
      .arb = library_file::read_version(field, "arb", 1, 4, "a version: one to four numbers with dots between them")};
}

std::optional<std::string> version_fault(std::string_view made_by, std::string_view here) {
  if (library_file::is_earlier(here, made_by)) {
    return fmt::format("library.renyi: made by {}, this is {}: verify with that version or a later one", made_by, here);
  }
  if (library_file::is_earlier(made_by, library_file::first_proven_version)) {
    return fmt::format(
        "library.renyi: made by {}; certificates before {} state answers that nothing proves "
        "(docs/advisories/2026-01-underflow.md): certify the plan again",
        made_by, library_file::first_proven_version);
  }
  return std::nullopt;
}

}  // namespace renyi::certificate
