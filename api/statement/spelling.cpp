// How text is spelt, whatever it is rendered as.
#include <algorithm>
#include <array>
#include <string_view>

#include "api/statement/document.h"

namespace renyi::api {
namespace {

struct Spelling {
  std::string_view plain, accented;
};
constexpr std::array<Spelling, 2> spellings{{{"Renyi", "R\u00e9nyi"}, {"Harremoes", "Harremo\u00ebs"}}};

}  // namespace

std::string with_accents(std::string text) {
  for (const auto& [plain, accented] : spellings) {
    for (std::size_t at = 0; (at = text.find(plain, at)) != std::string::npos; at += accented.size()) {
      text.replace(at, plain.size(), accented);
    }
  }
  return text;
}

std::string on_one_line(std::string_view text) {
  constexpr char first_printable = ' ', last_control = '\x7f';
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return (c >= 0 && c < first_printable) || c == last_control; }, ' ');
  return line;
}

}  // namespace renyi::api
