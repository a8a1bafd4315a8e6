// Writes a file completely or not at all, and waits until it and its name are on the disk.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "ledger/fault_point.h"
#include "renyi/error.h"
#include "renyi/release.h"

namespace renyi::release {
namespace output_file_file {
namespace {

namespace fs = std::filesystem;

class Temporary {
 public:
  explicit Temporary(const std::string& target) : target_(target) {
    constexpr int most_tries = 100;
    const fs::path folder = fs::path(target).parent_path();
    for (int i = 0; i < most_tries && descriptor_ < 0; ++i) {
      name_ = (folder / fmt::format(".renyi-release-{}-{}.tmp", getpid(), i)).string();
      descriptor_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ < 0 && errno != EEXIST) break;
    }
    if (descriptor_ < 0) refuse();
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!is_renamed_) unlink(name_.c_str());
  }

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t wrote = ::write(descriptor_, text.data(), text.size());
      if (wrote < 0 && errno != EINTR) refuse();
      if (wrote > 0) text.remove_prefix(static_cast<std::size_t>(wrote));
    }
    const bool is_synchronised = fsync(descriptor_) == 0;
    const int closed = close(descriptor_);
    descriptor_ = -1;
    if (!is_synchronised || closed != 0) refuse();
  }

  void rename() {
    if (std::rename(name_.c_str(), target_.c_str()) != 0) refuse();
    is_renamed_ = true;
  }

  // The name is on the disk when the directory is.
  void synchronise_directory() const {
    const fs::path folder = fs::path(target_).parent_path();
    const int directory = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) refuse();
    const bool is_synchronised = fsync(directory) == 0 || errno == EINVAL || errno == ENOTSUP;
    close(directory);
    if (!is_synchronised) refuse();
  }

 private:
  [[noreturn]] void refuse() const {
    throw InvalidArgument("out", fmt::format("\"{}\" ({})", target_, std::strerror(errno)),
                          "a file that can be written");
  }

  std::string target_;
  std::string name_;
  int descriptor_ = -1;
  bool is_renamed_ = false;
};

// Links and what is no regular file are not replaced.
void check_name(const std::string& name) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(name, ignored);
  if (!name.empty() && (!fs::exists(status) || fs::is_regular_file(status))) return;
  throw InvalidArgument("out", fmt::format("\"{}\"", name), "the name of a regular file, or of a new one");
}

std::string content_of(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace
}  // namespace output_file_file

void check_output(const std::string& name, const std::optional<std::string>& expected, bool may_replace,
                  std::string_view permission) {
  namespace file = output_file_file;
  file::check_name(name);
  std::error_code ignored;
  const file::fs::path folder = file::fs::path(name).parent_path();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) {
    throw InvalidArgument("out", fmt::format("\"{}\" ({})", name, std::strerror(errno)), "a file that can be written");
  }
  if (may_replace || !file::fs::exists(name, ignored)) return;
  if (expected && file::content_of(name) == *expected) return;
  throw InvalidArgument("out", fmt::format("\"{}\", which exists", name),
                        fmt::format("a new file, or {} to replace it (nothing was charged)", permission));
}

void write_output(const std::string& name, std::string_view text) {
  output_file_file::check_name(name);
  output_file_file::Temporary file(name);
  file.write(text);
  ledger::fault_point("release.before_rename");
  file.rename();
  ledger::fault_point("release.renamed");
  file.synchronise_directory();
}

}  // namespace renyi::release
