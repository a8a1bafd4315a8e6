// The names of fault points: those that the sources have, and those that a worker has listed.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace renyi::test {

// Those that the sources name.
inline std::set<std::string> named_points() {
  std::set<std::string> names;
  const std::regex named(R"re(fault_point\("([^"]+)"\))re");
  for (const char* room : {"ledger", "release"}) {
    const std::filesystem::path directory = std::filesystem::path(RENYI_SOURCE_DIR) / room;
    for (const auto& file : std::filesystem::recursive_directory_iterator(directory)) {
      if (file.path().extension() != ".cpp" && file.path().extension() != ".h") continue;
      std::ifstream stream(file.path());
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      for (std::sregex_iterator found(text.begin(), text.end(), named), end; found != end; ++found) {
        names.insert((*found)[1]);
      }
    }
  }
  return names;
}

inline std::set<std::string> lines_of(const std::string& path) {
  std::set<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.insert(line);
  return lines;
}

}  // namespace renyi::test
