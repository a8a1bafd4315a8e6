#include "apps/cli/io/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "renyi/error.h"

namespace renyi::cli {
namespace files_file {
namespace {

constexpr std::size_t buffer_bytes = 1U << 16U;

[[noreturn]] void refuse(const std::string& name) {
  throw InvalidArgument(name, std::strerror(errno), "a file that can be read, or - for standard input");
}

int open_for_reading(const std::string& name) {
  const int descriptor = open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) refuse(name);
  return descriptor;
}

}  // namespace
}  // namespace files_file

Input::Input(const std::string& name)
    : name_(name == "-" ? "standard input" : name),
      descriptor_(name == "-" ? STDIN_FILENO : files_file::open_for_reading(name)) {}

Input::~Input() {
  if (descriptor_ != STDIN_FILENO) close(descriptor_);
}

bool Input::refill() {
  before_waiting_();
  buffer_.resize(files_file::buffer_bytes);
  next_ = 0;
  ssize_t got = 0;
  do {
    got = read(descriptor_, buffer_.data(), buffer_.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) files_file::refuse(name_);
  buffer_.resize(static_cast<std::size_t>(got));
  return got > 0;
}

std::optional<Input::Line> Input::next_line(std::size_t limit) {
  Line line;
  bool any = false;
  while (next_ < buffer_.size() || refill()) {
    any = true;
    const auto from = buffer_.begin() + static_cast<std::ptrdiff_t>(next_);
    const auto end = std::find(from, buffer_.end(), '\n');
    const auto room = static_cast<std::ptrdiff_t>(limit - line.text.size());
    line.too_long = line.too_long || end - from > room;
    line.text.append(from, from + std::min(end - from, room));
    next_ = static_cast<std::size_t>(end - buffer_.begin()) + 1;
    if (end != buffer_.end()) return line;
  }
  return any ? std::optional(std::move(line)) : std::nullopt;
}

std::string Input::read_all() {
  std::string text;
  while (refill()) text.append(buffer_.begin(), buffer_.end());
  return text;
}

namespace fs = std::filesystem;

namespace files_file {
namespace {

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
}  // namespace files_file

void check_target(const std::string& flag, const std::string& target) {
  if (target.empty()) throw InvalidArgument(flag, "\"\"", "the name of a file");
  if (!files_file::is_link(target) || files_file::is_device(target)) return;
  throw InvalidArgument(flag, fmt::format("\"{}\" (a symbolic link)", target), "a name that is no link");
}

AtomicFile::AtomicFile(std::string flag, const std::string& target) : flag_(std::move(flag)), target_(target) {
  check_target(flag_, target_);
  if (files_file::is_device(target_)) {
    descriptor_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) refuse();
    return;
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

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::write(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = ::write(descriptor_, text.data() + done, text.size() - done);
    if (wrote < 0 && errno != EINTR) refuse();
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
}

// A full disk may be noticed only when the file is closed.
void AtomicFile::put_into_place() {
  const int open_file = std::exchange(descriptor_, -1);
  const bool written = fsync(open_file) == 0 || errno == EINVAL || errno == ENOTSUP;  // devices report these
  if (close(open_file) != 0 || !written) refuse();
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) refuse();
  temporary_.clear();
}

void AtomicFile::refuse() const {
  throw InvalidArgument(flag_, fmt::format("\"{}\" ({})", target_, std::strerror(errno)), "a file that can be written");
}

}  // namespace renyi::cli
