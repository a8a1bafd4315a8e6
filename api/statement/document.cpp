#include "api/statement/document.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace renyi::api {
namespace document_file {
namespace {

struct Spelling {
  std::string_view plain, accented;
};
constexpr std::array<Spelling, 2> spellings{{{"Renyi", "R\u00e9nyi"}, {"Harremoes", "Harremo\u00ebs"}}};

}  // namespace
}  // namespace document_file

std::string with_accents(std::string text) {
  for (const auto& [plain, accented] : document_file::spellings) {
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
