// A file that several programs change in turn: locked from read to rename, so that no change is lost.
#pragma once

#include <string>
#include <string_view>

#include "apps/cli/io/descriptor.h"

namespace renyi::cli {

// Holds the lock of a file. Other programs that lock it wait until this one has replaced it, or leaves it as it is.
class LockedFile {
 public:
  // Opens and locks a file that exists; waits for others, and says so on standard error if that takes long. Throws
  // InvalidArgument, also for links and whatever is no regular file.
  explicit LockedFile(const std::string& name);

  std::string text() const { return file_.read_all(); }
  // Replaces the content: a new file is written next to it, moved to the disk and renamed, so that a program that is
  // killed at any moment leaves the old content or the new one. When the function returns, the new content is on the
  // disk. Throws Failure or InvalidArgument; then the old content is still there, unless the disk itself failed after
  // the renaming. To be called once.
  void replace(std::string_view text);

 private:
  Descriptor file_;
};

// Creates a file with this content, completely or not at all. Throws InvalidArgument naming `argument` if there is
// something of that name.
void create_file(const std::string& argument, const std::string& name, std::string_view text);

}  // namespace renyi::cli
