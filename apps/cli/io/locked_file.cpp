#include "apps/cli/io/locked_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "apps/cli/io/output.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace locked_file_file {
namespace {

namespace fs = std::filesystem;

// A program that waited for the lock may hold that of a file which was replaced in the meantime.
Descriptor locked(const std::string& name) {
  while (true) {
    Descriptor file(name, O_RDWR);
    while (flock(file.number(), LOCK_EX) != 0) {
      if (errno != EINTR) file.fail();
    }
    if (is_still(file)) return file;
  }
}

// Links to folders are followed.
std::string folder_of(const std::string& name) { return (fs::path(name).parent_path() / ".").string(); }

// A name is on the disk when its folder is.
void settle_folder(const std::string& name) {
  const Descriptor folder(folder_of(name), O_RDONLY | O_DIRECTORY);
  if (fsync(folder.number()) != 0 && errno != EINVAL && errno != ENOTSUP) folder.fail();
}

// A new file beside another one, removed at the end unless it was renamed.
class Beside {
 public:
  explicit Beside(std::string name) : file_(std::move(name), O_WRONLY | O_CREAT | O_EXCL) {}
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  ~Beside() {
    if (is_here_) unlink(file_.name().c_str());
  }

  const Descriptor& file() const noexcept { return file_; }
  // Replaces another file. From then on, the next holder of its lock may use the name of this one.
  void rename_to(const std::string& name) {
    if (std::rename(file_.name().c_str(), name.c_str()) != 0) file_.fail();
    is_here_ = false;
  }

 private:
  Descriptor file_;
  bool is_here_ = true;
};

std::string beside(const std::string& name, const std::string& ending) {
  const fs::path path(name);
  return (path.parent_path() / fmt::format(".{}.{}", path.filename().string(), ending)).string();
}

}  // namespace
}  // namespace locked_file_file

LockedFile::LockedFile(const std::string& name) : file_(locked_file_file::locked(name)) {}

// Only the holder of the lock writes beside the file, so that what stands there was left by a program that was killed.
void LockedFile::replace(std::string_view text) {
  const std::string temporary = locked_file_file::beside(file_.name(), "new");
  unlink(temporary.c_str());
  locked_file_file::Beside next(temporary);
  struct stat status {};
  if (fstat(file_.number(), &status) != 0) file_.fail();
  if (fchmod(next.file().number(), status.st_mode & 07777U) != 0) next.file().fail();
  next.file().write(text);
  next.file().settle();
  next.rename_to(file_.name());
  locked_file_file::settle_folder(file_.name());
}

// A link is made instead of renaming, because renaming would replace a file of that name.
void create_file(const std::string& argument, const std::string& name, std::string_view text) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(locked_file_file::folder_of(name), ignored)) {
    throw InvalidArgument(argument, fmt::format("\"{}\"", name), "a name in a folder that exists");
  }
  const locked_file_file::Beside file(locked_file_file::beside(name, fmt::format("{}.new", getpid())));
  file.file().write(text);
  file.file().settle();
  if (link(file.file().name().c_str(), name.c_str()) != 0) {
    if (errno == EEXIST) {
      throw InvalidArgument(argument, fmt::format("\"{}\", which exists", name),
                            "the name of a new file: what is written there is never replaced");
    }
    throw InvalidArgument(argument, fmt::format("\"{}\" ({})", name, std::strerror(errno)), "the name of a new file");
  }
  locked_file_file::settle_folder(name);
}

}  // namespace renyi::cli
