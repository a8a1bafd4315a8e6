#include "apps/cli/io/locked_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "apps/cli/io/output.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace locked_file_file {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds long_wait{1000}, pause{10};

// Returns false if another program has held the lock for all of a long wait.
bool try_to_lock(const Descriptor& file) {
  const auto end = std::chrono::steady_clock::now() + long_wait;
  while (flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) file.fail();
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(pause);
  }
  return true;
}

void lock(const Descriptor& file) {
  if (try_to_lock(file)) return;
  print_to_stderr(fmt::format("renyi: {}: waiting for another program that changes it\n", file.name()));
  while (flock(file.number(), LOCK_EX) != 0) {
    if (errno != EINTR) file.fail();
  }
}

void check_regular(const Descriptor& file) {
  struct stat status {};
  if (fstat(file.number(), &status) != 0) file.fail();
  if (!S_ISREG(status.st_mode)) throw InvalidArgument(file.name(), "a pipe or a device", "a regular file");
}

// A program that waited for the lock may hold that of a file which was replaced in the meantime.
Descriptor locked(const std::string& name) {
  while (true) {
    Descriptor file(name, O_RDWR);
    check_regular(file);
    lock(file);
    if (is_still(file)) return file;
  }
}

// Links to folders are followed.
std::string folder_of(const std::string& name) { return (fs::path(name).parent_path() / ".").string(); }

// A name is on the disk when its folder is. The folder is opened before anything is changed, because that may fail.
class Folder {
 public:
  explicit Folder(const std::string& name) : folder_(folder_of(name), O_RDONLY | O_DIRECTORY) {}
  void settle() const {
    if (fsync(folder_.number()) != 0 && errno != EINVAL && errno != ENOTSUP) folder_.fail();
  }

 private:
  Descriptor folder_;
};

// A new file beside another one, removed at the end unless it was renamed. Messages name the other one.
class Beside {
 public:
  Beside(std::string name, const std::string& other) : file_(std::move(name), O_WRONLY | O_CREAT | O_EXCL, other) {}
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
  const locked_file_file::Folder folder(file_.name());
  locked_file_file::Beside next(temporary, file_.name());
  struct stat status {};
  if (fstat(file_.number(), &status) != 0) file_.fail();
  if (fchmod(next.file().number(), status.st_mode & 07777U) != 0) next.file().fail();
  next.file().write(text);
  next.file().settle();
  next.rename_to(file_.name());
  folder.settle();
}

// A link is made instead of renaming, because renaming would replace a file of that name.
void create_file(const std::string& argument, const std::string& name, std::string_view text) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(locked_file_file::folder_of(name), ignored)) {
    throw InvalidArgument(argument, fmt::format("\"{}\"", name), "a name in a folder that exists");
  }
  const locked_file_file::Folder folder(name);
  const locked_file_file::Beside file(locked_file_file::beside(name, fmt::format("{}.new", getpid())), name);
  file.file().write(text);
  file.file().settle();
  if (link(file.file().name().c_str(), name.c_str()) != 0) {
    if (errno == EEXIST) {
      throw InvalidArgument(argument, fmt::format("\"{}\", which exists", name),
                            "the name of a new file: what is written there is never replaced");
    }
    throw InvalidArgument(argument, fmt::format("\"{}\" ({})", name, std::strerror(errno)), "the name of a new file");
  }
  folder.settle();
}

}  // namespace renyi::cli
