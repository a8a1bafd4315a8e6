// A place to run commands in: an empty directory with the fixtures, and the
// renyi command first in PATH.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace renyi::test {

struct Outcome {
  std::vector<std::string> lines;  // standard output, then standard error
  int exit_code = 0;
};

class Session {
 public:
  Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  Outcome run(const std::string& command) const;

 private:
  std::filesystem::path directory_;
};

}  // namespace renyi::test
