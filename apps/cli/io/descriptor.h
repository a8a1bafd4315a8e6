// An open file by its descriptor, and locks that exclude other programs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace renyi::cli {

// Owns a file descriptor and closes it at the end. Error messages contain the name of the file.
class Descriptor {
 public:
  // Opens a file as open(2) does, but never through a link. Throws InvalidArgument. Messages name `shown_as`: for a
  // file that is written under another name first, the one that the user knows.
  Descriptor(std::string name, int flags, std::string shown_as = {});
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) = delete;
  ~Descriptor();

  const std::string& name() const noexcept { return name_; }
  int number() const noexcept { return number_; }

  // Each of these functions throws Failure.
  std::string read_all() const;
  void write(std::string_view text) const;
  // Truncates the file to that many bytes, and continues after them.
  void cut(std::size_t bytes) const;
  // Returns when the data are on the disk.
  void settle() const;

  // Throws Failure with the reason that the system reports.
  [[noreturn]] void fail() const;

 private:
  std::string name_;
  std::string shown_as_;
  int number_;
};

// Returns false if another program has removed or replaced the file that was opened here; there may be a new one by
// now.
bool is_still(const Descriptor& file);

}  // namespace renyi::cli
