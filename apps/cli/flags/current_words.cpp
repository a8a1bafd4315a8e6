#include "apps/cli/flags/current_words.h"

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string_view>
#include <utility>

namespace renyi::cli {

namespace current_words_file {
namespace {

using Words = std::vector<std::string>;

Words split_at_blanks(std::string_view text) {
  std::istringstream in{std::string(text)};
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool begins_with(const Words& words, const Words& command) {
  return words.size() >= command.size() && std::equal(command.begin(), command.end(), words.begin());
}

// Replaces "--old" and "--old=VALUE". Returns whether one was there.
bool replace_flag(Words& words, const std::string& flag, std::string_view instead) {
  bool found = false;
  const auto end = std::find(words.begin(), words.end(), "--");
  for (auto word = words.begin(); word != end; ++word) {
    if (*word != flag && !word->starts_with(flag + "=")) continue;
    word->replace(0, flag.size(), instead);
    found = true;
  }
  return found;
}

bool replace(Words& words, const api::Deprecation& entry) {
  Words command = split_at_blanks(entry.name);
  std::string flag;
  if (command.back().starts_with("--")) {
    flag = std::move(command.back());
    command.pop_back();
  }
  if (!begins_with(words, command)) return false;
  if (!flag.empty()) return replace_flag(words, flag, entry.instead);
  const Words instead = split_at_blanks(entry.instead);
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(command.size()));
  words.insert(words.begin(), instead.begin(), instead.end());
  return true;
}

}  // namespace
}  // namespace current_words_file

CurrentWords current_words(std::vector<std::string> words, std::span<const api::Deprecation> table) {
  CurrentWords current{std::move(words)};
  for (const api::Deprecation& entry : table) {
    if (entry.interface != api::Interface::command || !current_words_file::replace(current.words, entry)) continue;
    current.warnings.push_back(api::warning_of(entry));
  }
  return current;
}

}  // namespace renyi::cli
