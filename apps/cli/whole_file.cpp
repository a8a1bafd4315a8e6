#include "apps/cli/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "renyi/error.h"

namespace renyi::cli {
namespace {

namespace fs = std::filesystem;

// A link stays one: its target is replaced, or made where there is none yet. Links in a circle have no
// target: then it is a link still.
fs::path resolved(const std::string& name) {
  constexpr int most_links = 40;  // as Linux has it
  std::error_code ignored;
  if (fs::path real = fs::canonical(name, ignored); !real.empty()) return real;
  fs::path path(name);
  for (int i = 0; i < most_links && fs::is_symlink(path, ignored); ++i) {
    path = path.parent_path() / fs::read_symlink(path, ignored);  // an absolute one replaces it all
  }
  return path;
}

bool is_link(const std::string& name) {
  std::error_code ignored;
  return fs::is_symlink(name, ignored);
}

bool is_device(const std::string& name) {
  std::error_code ignored;
  const fs::file_status status = fs::status(name, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

}  // namespace

WholeFile::WholeFile(std::string flag, const std::string& target)
    : flag_(std::move(flag)), name_(target), target_(resolved(target).string()) {
  if (is_device(target)) {
    descriptor_ = open(target.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) refuse();
    return;
  }
  if (is_link(target_)) {
    errno = ELOOP;
    refuse();
  }
  constexpr int most_tries = 100;
  const fs::path folder = fs::path(target_).parent_path();
  for (int i = 0; i < most_tries && descriptor_ < 0; ++i) {
    temporary_ = (folder / fmt::format(".renyi-{}-{}.tmp", getpid(), i)).string();
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) refuse();
  }
  if (descriptor_ < 0) refuse();
}

WholeFile::~WholeFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void WholeFile::write(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = ::write(descriptor_, text.data() + done, text.size() - done);
    if (wrote < 0 && errno != EINTR) refuse();
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
}

// A full disk may be noticed only when the file is closed.
void WholeFile::put_into_place() {
  const int open_file = std::exchange(descriptor_, -1);
  const bool written = fsync(open_file) == 0 || errno == EINVAL || errno == ENOTSUP;  // those: of devices
  if (close(open_file) != 0 || !written) refuse();
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) refuse();
  temporary_.clear();
}

void WholeFile::refuse() const {
  throw InvalidArgument(flag_, fmt::format("\"{}\" ({})", name_, std::strerror(errno)), "a file that can be written");
}

}  // namespace renyi::cli
