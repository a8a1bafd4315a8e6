#include "apps/cli/io/descriptor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "apps/cli/io/output.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace descriptor_file {
namespace {

constexpr int usual_mode = 0666;  // reduced by the user's umask
constexpr int none = -1;

// What is to be given instead of a file that cannot be opened.
std::string allowed_for(int flags) {
  if ((flags & O_ACCMODE) == O_RDONLY) return "a file that can be read";
  return (flags & O_EXCL) != 0 ? "a file in a folder that can be written" : "a file that can be written";
}

int opened(const std::string& name, int flags, const std::string& shown_as) {
  const int number = open(name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, usual_mode);
  if (number < 0) {
    throw InvalidArgument(shown_as, errno == ELOOP ? "a symbolic link" : std::strerror(errno), allowed_for(flags));
  }
  return number;
}

}  // namespace
}  // namespace descriptor_file

Descriptor::Descriptor(std::string name, int flags, std::string shown_as)
    : name_(std::move(name)),
      shown_as_(shown_as.empty() ? name_ : std::move(shown_as)),
      number_(descriptor_file::opened(name_, flags, shown_as_)) {}

Descriptor::Descriptor(Descriptor&& other) noexcept
    : name_(std::move(other.name_)),
      shown_as_(std::move(other.shown_as_)),
      number_(std::exchange(other.number_, descriptor_file::none)) {}

Descriptor::~Descriptor() {
  if (number_ != descriptor_file::none) close(number_);
}

void Descriptor::fail() const { throw Failure(exit_bad_input, fmt::format("{}: {}", shown_as_, std::strerror(errno))); }

std::string Descriptor::read_all() const {
  std::string text;
  std::array<char, 4096> part{};
  while (true) {
    const ssize_t got = pread(number_, part.data(), part.size(), static_cast<off_t>(text.size()));
    if (got < 0 && errno != EINTR) fail();
    if (got == 0) return text;
    if (got > 0) text.append(part.data(), static_cast<std::size_t>(got));
  }
}

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

bool is_still(const Descriptor& file) {
  struct stat opened {};
  struct stat named {};
  if (fstat(file.number(), &opened) != 0) file.fail();
  return lstat(file.name().c_str(), &named) == 0 && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace renyi::cli
