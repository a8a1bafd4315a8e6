// Releases with keys, their output files, and a journal of them: a line before each release, and a line after its
// output was written or it was refused.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "renyi/release.h"

namespace renyi::test {

// What the user `number` publishes under its key. Two users share their keys, so that they meet.
inline std::string release_key(std::uint64_t seed, std::size_t number) {
  return fmt::format("{}-{}", seed / 2, number);
}

inline release::Terms release_terms() {
  release::Terms terms;
  terms.statistics = {{.name = "visits", .is_integer = true, .bounds = {.l1_sensitivity = 1}}};
  terms.statistics[0].noise = {.mechanism = "discrete-gaussian", .size = 20};
  return terms;
}

// "org/b" refuses soon (worker_calls.h).
inline release::Charge release_charge(const std::string& key) {
  const bool is_refused_soon = key.back() == '7';
  return {.scope = is_refused_soon ? "org/b" : "org", .key = key, .person = "tester"};
}

inline std::string digest_of(const std::string& document) { return std::to_string(std::hash<std::string>{}(document)); }

inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

struct ReleaseJournal {
  std::vector<std::string> asked{};
  std::map<std::string, std::string> published{};  // digests of the documents
  std::set<std::string> refused{};

  static ReleaseJournal read(const std::string& path) {
    ReleaseJournal journal;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string kind, key, digest;
      words >> kind >> key >> digest;
      if (kind == "asked") {
        journal.asked.push_back(key);
      } else if (kind == "published") {
        journal.published[key] = digest;
      } else if (kind == "refused") {
        journal.refused.insert(key);
      } else {
        throw std::runtime_error("not a line of a journal: " + line);
      }
    }
    return journal;
  }
  // Releases that were begun and not ended.
  [[nodiscard]] std::vector<std::string> open_keys() const {
    std::vector<std::string> keys;
    for (const std::string& key : asked) {
      if (!published.contains(key) && !refused.contains(key)) keys.push_back(key);
    }
    return keys;
  }
};

}  // namespace renyi::test
