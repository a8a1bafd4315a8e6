#include "apps/cli/descriptor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "apps/cli/ask.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace {

constexpr int usual_mode = 0666;  // less what the user's mask takes away
constexpr int none = -1;

int opened(const std::string& name, int flags) {
  const int number = open(name.c_str(), flags | O_CLOEXEC, usual_mode);
  if (number < 0) {
    const bool is_link = errno == ELOOP && (flags & O_NOFOLLOW) != 0;
    throw InvalidArgument(name, is_link ? "a symbolic link" : std::strerror(errno), "a file that can be written");
  }
  return number;
}

}  // namespace

Descriptor::Descriptor(std::string name, int flags) : name_(std::move(name)), number_(opened(name_, flags)) {}

Descriptor::Descriptor(Descriptor&& other) noexcept
    : name_(std::move(other.name_)), number_(std::exchange(other.number_, none)) {}

Descriptor::~Descriptor() {
  if (number_ != none) close(number_);
}

void Descriptor::fail() const { throw Failure(exit_bad_input, fmt::format("{}: {}", name_, std::strerror(errno))); }

void Descriptor::write(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = ::write(number_, text.data(), text.size());
    if (written < 0 && errno != EINTR) fail();
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Descriptor::cut(std::size_t bytes) const {
  const auto end = static_cast<off_t>(bytes);
  if (ftruncate(number_, end) != 0 || lseek(number_, end, SEEK_SET) != end) fail();
}

void Descriptor::settle() const {
  if (fsync(number_) != 0) fail();
}

}  // namespace renyi::cli
