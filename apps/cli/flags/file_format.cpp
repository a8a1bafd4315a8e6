#include "apps/cli/flags/file_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/cli/flags/answer_flags.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace file_format_file {
namespace {

std::string ending_of(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return ending;
}

// Lists the endings, as in ".png, .svg or .pdf".
std::string all_of(std::span<const Ending> endings) {
  std::string text;
  for (std::size_t i = 0; i < endings.size(); ++i) {
    if (i > 0) text += i + 1 == endings.size() ? " or " : ", ";
    text += endings[i].text;
  }
  return text;
}

}  // namespace
}  // namespace file_format_file

std::string format_of_file(const std::string& flag, const std::string& file, std::span<const Ending> endings,
                           const std::optional<std::string>& named, const std::optional<std::string>& usual) {
  const std::string text = file_format_file::ending_of(file);
  if (text.empty() && (named || usual)) return named ? *named : *usual;
  const auto ending = std::find_if(endings.begin(), endings.end(), [&](const Ending& one) { return one.text == text; });
  if (ending == endings.end()) {
    throw InvalidArgument(flag, fmt::format("\"{}\"", file),
                          fmt::format("a name that ends with {}", file_format_file::all_of(endings)));
  }
  if (named && *named != ending->format) {
    throw InvalidArgument(format_flag().name, fmt::format("\"{}\" for {} \"{}\"", *named, flag, file),
                          fmt::format("{}, as that name says", ending->format));
  }
  return ending->format;
}

}  // namespace renyi::cli
