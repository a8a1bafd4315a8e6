// What the commands of a transcript or document printed, written down for tests/bless. It is written where the
// environment variable RENYI_RECORD names a directory, and nowhere otherwise.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/session.h"
#include "cli/transcript.h"

namespace renyi::test {

class Record {
 public:
  explicit Record(const std::filesystem::path& file);
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;
  ~Record();  // writes

  void add(const Exchange& exchange, const Outcome& outcome);

 private:
  nlohmann::json content_;
};

}  // namespace renyi::test
