#include "apps/cli/input.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "renyi/error.h"

namespace renyi::cli {
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

Input::Input(const std::string& name)
    : name_(name == "-" ? "standard input" : name), descriptor_(name == "-" ? STDIN_FILENO : open_for_reading(name)) {}

Input::~Input() {
  if (descriptor_ != STDIN_FILENO) close(descriptor_);
}

bool Input::refill() {
  before_waiting_();
  buffer_.resize(buffer_bytes);
  next_ = 0;
  ssize_t got = 0;
  do {
    got = read(descriptor_, buffer_.data(), buffer_.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) refuse(name_);
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

}  // namespace renyi::cli
