#include "apps/cli/flags/question.h"

#include <fmt/format.h>

#include <utility>

namespace renyi::cli {
namespace question_file {
namespace {

// An error about "orders[2]" is about the flag that set "orders".
std::string_view without_index(std::string_view path) {
  return path.ends_with(']') ? path.substr(0, path.rfind('[')) : path;
}

// Replaces names of members that what is allowed quotes, such as "split", by the flags that set them.
std::string with_flags(std::string message, const std::map<std::string, std::string, std::less<>>& flag_at) {
  const auto allowed = message.find(", allowed: ");
  if (allowed == std::string::npos) return message;
  for (const auto& [path, flag] : flag_at) {
    const std::string quoted = fmt::format("\"{}\"", path);
    const auto found = message.find(quoted, allowed);
    if (found != std::string::npos) message.replace(found, quoted.size(), flag);
  }
  return message;
}

bool starts_with_word(std::string_view text, std::string_view word) { return !word.empty() && text.starts_with(word); }

}  // namespace
}  // namespace question_file

std::string Question::explain(std::string_view path, std::string_view error) const {
  const std::string with_flags = question_file::with_flags(std::string(error), flag_at);
  std::string_view message = with_flags;
  const auto flag = flag_at.find(question_file::without_index(path));
  if (flag != flag_at.end() && question_file::starts_with_word(message, path)) {
    return flag->second + std::string(message.substr(path.size()));
  }
  const bool in_file = !source.empty() && !path.empty() && !path.starts_with("--") && path != source;
  if (!in_file) return std::string(message);
  // Paths refer to the file.
  if (path.starts_with(source_path) && message.starts_with(path)) {
    message.remove_prefix(source_path.size());
    for (const std::string_view joint : {".", ": "}) {
      if (message.starts_with(joint)) message.remove_prefix(joint.size());
    }
  }
  return fmt::format("{}: {}", source, message);
}

void Question::set(const std::string& key, api::Document value, const std::string& flag) {
  request.set(key, std::move(value));
  flag_at[key] = flag;
}

}  // namespace renyi::cli
