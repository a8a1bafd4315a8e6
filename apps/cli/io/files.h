// Files and standard input, read line by line; and files that are written as a whole or not at all.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace renyi::cli {

// An open file descriptor, read line by line.
class Input {
 public:
  // Opens a file, or standard input for "-". Throws InvalidArgument.
  explicit Input(const std::string& name);
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input();

  // How messages call it.
  const std::string& name() const noexcept { return name_; }

  // Called whenever reading is about to wait for more input: the moment to show
  // what has been answered so far.
  void before_waiting(std::function<void()> action) { before_waiting_ = std::move(action); }

  struct Line {
    std::string text;
    bool too_long = false;  // the text is only its beginning
  };
  // The next line without its end; nothing after the last. Of a line longer than
  // `limit` bytes the rest is skipped.
  std::optional<Line> next_line(std::size_t limit);

  std::string read_all();

 private:
  bool refill();

  std::string name_;
  int descriptor_;
  std::vector<char> buffer_;
  std::size_t next_ = 0;
  std::function<void()> before_waiting_ = [] {};
};

// Refuses, before any work is done, what no command writes to: nothing at all, and a symbolic link. What a link points
// to may be somebody else's, and a link that was replaced would be lost. Links to devices and pipes hold nothing that
// could be lost. Throws InvalidArgument naming `flag`.
void check_target(const std::string& flag, const std::string& target);

// A file that is there as a whole or not at all. Written beside the target under another name, then moved into its
// place. Until then, and if it never comes to that, an older file of that name stays as it is. Devices and pipes have
// no place to take: they are written to as they are. Throws InvalidArgument naming `flag`, also where `check_target`
// does.
class AtomicFile {
 public:
  AtomicFile(std::string flag, const std::string& target);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(const std::string& text);
  // The file is complete.
  void put_into_place();

 private:
  [[noreturn]] void refuse() const;

  std::string flag_;
  std::string target_;
  std::string temporary_;  // nothing for a device
  int descriptor_ = -1;
};

}  // namespace renyi::cli
