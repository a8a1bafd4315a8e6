// Files that are there as a whole or not at all.
#pragma once

#include <string>

namespace renyi::cli {

// Written beside the target under another name, then moved into its place. Until then, and if it never comes to that,
// an older file of that name stays as it is. Devices and pipes have no place to take: they are written to as they are.
// Throws InvalidArgument naming `flag`.
class WholeFile {
 public:
  WholeFile(std::string flag, const std::string& target);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  int descriptor() const noexcept { return descriptor_; }
  void write(const std::string& text);
  // The file is complete.
  void put_into_place();

 private:
  [[noreturn]] void refuse() const;

  std::string flag_;
  std::string name_;  // as it was given
  std::string target_;
  std::string temporary_;  // nothing for a device
  int descriptor_ = -1;
};

}  // namespace renyi::cli
