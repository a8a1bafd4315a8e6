#include "apps/cli/sweep_state.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "renyi/error.h"

namespace renyi::cli {
namespace {

// Complete when its one line has an end.
constexpr char line_end = '\n';

// False: another program has removed what was opened here, and there may be another by now.
bool is_still(const Descriptor& file) {
  struct stat opened {};
  struct stat named {};
  if (fstat(file.number(), &opened) != 0) file.fail();
  return lstat(file.name().c_str(), &named) == 0 && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

Descriptor locked(const std::string& name) {
  while (true) {
    Descriptor file(name, O_RDWR | O_CREAT | O_NOFOLLOW);
    if (flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
      throw InvalidArgument(name, "a sweep that another program is at work on", "one program for each file");
    }
    if (is_still(file)) return file;
  }
}

}  // namespace

SweepState::SweepState(const std::string& name) : file_(locked(name)) {}

bool SweepState::is_there(const std::string& name) { return access(name.c_str(), F_OK) == 0; }

SweepState::Content SweepState::content() const {
  std::string text;
  std::array<char, 4096> part{};
  ssize_t got = 0;
  while ((got = pread(file_.number(), part.data(), part.size(), static_cast<off_t>(text.size()))) > 0) {
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  if (got < 0) file_.fail();
  if (!text.empty() && text.back() == line_end) {
    text.pop_back();
    return {std::move(text), true};
  }
  return {std::move(text), false};
}

void SweepState::set(const std::string& text) const {
  file_.cut(0);
  if (text.empty()) return;
  file_.write(text + line_end);
  file_.settle();
}

void SweepState::remove() const {
  if (unlink(file_.name().c_str()) != 0) file_.fail();
}

}  // namespace renyi::cli
