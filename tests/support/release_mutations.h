// Releases with a secret number in them, damaged in every way that may bring it before an error.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace renyi::test {

// No part of it of four digits occurs in anything that is printed for another reason.
inline constexpr std::string_view secret = "8093617";

// Returns the part of the secret that the text contains; empty if there is none.
inline std::string_view secret_in(std::string_view text) {
  constexpr std::size_t telling = 4;
  for (std::size_t i = 0; i + telling <= secret.size(); ++i) {
    if (text.find(secret.substr(i, telling)) != std::string_view::npos) return secret.substr(i, telling);
  }
  return "";
}

inline const std::string json_release =
    R"({"renyi-release":1,"neighbors":"replace-one","unit":1,"budget":{"rho":0.5},"divide":"weights","noise":"gaussian",)"
    R"("statistics":[{"name":"visits","value":8093617,"integer":true,"max_records":2,"max_per_record":1,"weight":2},)"
    R"({"name":"age","bins":["a","b"],"values":[8093617.5,-8093617],"max_bins":1,"max_per_bin":1.5,"nonnegative":true},)"
    R"({"name":"sum","value":8093617e2,"l2_sensitivity":1,"mechanism":"gaussian","stddev":4,"lowest":0,"highest":9e9,"expected_lowest":0,"expected_highest":9e9}]})";

inline const std::string csv_release =
    "name,value,histogram,integer,max_records,max_per_record,max_bins,max_per_bin,lowest,round_to,"
    "expected_lowest,expected_highest,comment\n"
    "visits,8093617,,true,2,1,,,0,5,0,9e9,seen\n"
    "\"a, b\",8093617.5,age,,,,1,1.5,,,,,\n"
    "c,-8093617,age,,,,,,,,,,\n";

// What may stand where something else should: the secret in every form.
inline constexpr std::array<std::string_view, 14> secret_forms{
    "8093617",     "08093617",  "8093617abc",      "8093617.5", "-8093617",      "8093617e400", "8093617e-400",
    "\"8093617\"", "[8093617]", "{\"8093617\":1}", "1/8093617", "\"8093617/3\"", "x8093617",    "8093617 8093617"};

// Tokens of JSON: strings and runs of other characters. Cells of CSV: what stands between commas and line ends.
inline std::vector<std::pair<std::size_t, std::size_t>> tokens_of(std::string_view text, std::string_view separators) {
  std::vector<std::pair<std::size_t, std::size_t>> tokens;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, from), text.size());
    if (end > from) tokens.emplace_back(from, end - from);
    from = end + 1;
  }
  return tokens;
}

// Calls visit(text) with each damaged text.
template <class Visit>
void for_each_mutation(const std::string& text, std::string_view separators, const Visit& visit) {
  constexpr std::string_view inserted = "70x\"',:;{}[]-./\\ \n\x01\xff";
  for (std::size_t at = 0; at < text.size(); ++at) {
    visit(text.substr(0, at));
    visit(text.substr(at));
    visit(std::string(text).erase(at, 1));
    for (const char c : inserted) visit(std::string(text).insert(at, 1, c));
    visit(std::string(text).insert(at, secret));
  }
  const auto tokens = tokens_of(text, separators);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    for (const std::string_view form : secret_forms) {
      visit(std::string(text).replace(tokens[i].first, tokens[i].second, form));
    }
    for (std::size_t j = i + 1; j < tokens.size(); ++j) {  // the two swapped
      std::string swapped = text;
      swapped.replace(tokens[j].first, tokens[j].second, text, tokens[i].first, tokens[i].second);
      swapped.replace(tokens[i].first, tokens[i].second, text, tokens[j].first, tokens[j].second);
      visit(swapped);
    }
  }
}

inline constexpr std::string_view json_separators = ",:{}[]", csv_separators = ",\n";

}  // namespace renyi::test
