#include "cli/session.h"

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace renyi::test {

namespace fs = std::filesystem;

namespace session_file {
namespace {

fs::path fresh_directory() {
  std::string name = (fs::temp_directory_path() / "renyi-cli-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
  return name;
}

std::string in_quotes(const fs::path& path) { return "'" + path.string() + "'"; }

void append_lines(std::vector<std::string>& lines, const fs::path& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
}

}  // namespace
}  // namespace session_file

// The outputs are kept in a directory of their own, so that commands do not see them.
Session::Session() : directory_(session_file::fresh_directory()) {
  fs::copy(fs::path(RENYI_SOURCE_DIR) / "tests/cli/fixtures", directory_ / "here", fs::copy_options::recursive);
}

Session::~Session() {
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

Outcome Session::run(const std::string& command) const {
  const fs::path script = directory_ / "script";
  std::ofstream(script) << command << '\n';
  const fs::path out = directory_ / "out";
  const fs::path err = directory_ / "err";
  const std::string binary_directory = fs::path(RENYI_BINARY).parent_path().string();
  const std::string line = "cd " + session_file::in_quotes(directory_ / "here") +
                           " && PATH=" + session_file::in_quotes(binary_directory) + ":$PATH LC_ALL=C sh " +
                           session_file::in_quotes(script) + " >" + session_file::in_quotes(out) + " 2>" +
                           session_file::in_quotes(err);
  const int status = std::system(line.c_str());
  Outcome outcome;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  session_file::append_lines(outcome.lines, out);
  session_file::append_lines(outcome.lines, err);
  while (!outcome.lines.empty() && outcome.lines.back().empty()) outcome.lines.pop_back();
  return outcome;
}

}  // namespace renyi::test
