// Symbols in the texts of figures: in markup, in plain characters.
#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "apps/cli/plot/text.h"

namespace renyi::cli::plot {
namespace symbols_file {
namespace {

constexpr std::array<std::string_view, 10> raised_digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
constexpr std::string_view raised_minus = "⁻";

// The symbols that the figures use, and what a terminal shows in their place.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> plain_symbols{{{"ε", "epsilon"},
                                                                                       {"δ", "delta"},
                                                                                       {"α", "alpha"},
                                                                                       {"σ", "sigma"},
                                                                                       {"≤", "<="},
                                                                                       {"≥", ">="},
                                                                                       {"∞", "inf"},
                                                                                       {"×", "x"},
                                                                                       {"−", "-"},
                                                                                       {"–", "-"},
                                                                                       {"·", "*"},
                                                                                       {"é", "e"},
                                                                                       {"²", "^2"},
                                                                                       {"³", "^3"},
                                                                                       {"…", "..."}}};

// Reads raised digits at the front of the text, and removes them. Returns them as plain ones; empty if there are none.
std::string take_raised(std::string_view& text) {
  std::string plain;
  for (bool found = true; found;) {
    found = text.starts_with(raised_minus);
    if (found) {
      plain += '-';
      text.remove_prefix(raised_minus.size());
    }
    for (std::size_t digit = 0; digit < raised_digits.size() && !found; ++digit) {
      found = text.starts_with(raised_digits[digit]);
      if (!found) continue;
      plain += static_cast<char>('0' + digit);
      text.remove_prefix(raised_digits[digit].size());
    }
  }
  return plain;
}

// Replaces "10⁻⁵" by "1e-5" and "2×10⁻⁵" by "2e-5". Returns false if no power of ten is at the front.
bool take_power(std::string_view& text, std::string& result) {
  const bool has_factor = text.starts_with("×10");
  if (!has_factor && !text.starts_with("10")) return false;
  std::string_view rest = text.substr(std::string_view(has_factor ? "×10" : "10").size());
  const bool within_a_number = !has_factor && !result.empty() && result.back() >= '0' && result.back() <= '9';
  const std::string exponent = within_a_number ? "" : take_raised(rest);
  if (exponent.empty()) return false;
  if (!has_factor && exponent == "0") {
    result += '1';
  } else {
    result += (has_factor ? "e" : "1e") + exponent;
  }
  text = rest;
  return true;
}

bool take_symbol(std::string_view& text, std::string& result) {
  for (const auto& [symbol, plain] : plain_symbols) {
    if (!text.starts_with(symbol)) continue;
    result += plain;
    text.remove_prefix(symbol.size());
    return true;
  }
  return false;
}

}  // namespace
}  // namespace symbols_file

std::string in_xml(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string in_plain_characters(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    if (symbols_file::take_power(text, result) || symbols_file::take_symbol(text, result)) continue;
    result += text.front();
    text.remove_prefix(1);
  }
  return result;
}

}  // namespace renyi::cli::plot
