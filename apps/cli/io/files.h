// Reads files and standard input line by line, and writes files completely or not at all.
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

  // The name of the file in messages.
  const std::string& name() const noexcept { return name_; }

  // This is called whenever reading is about to wait for more input, so that answers so far can be flushed.
  void before_waiting(std::function<void()> action) { before_waiting_ = std::move(action); }

  struct Line {
    std::string text;
    bool too_long = false;  // the text is only the beginning of the line
  };
  // Returns the next line without its line break; std::nullopt after the last one. The part of a line beyond `limit`
  // bytes is skipped.
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

// Refuses, before any work is done, names to which no command writes: the empty name and symbolic links. The target of
// a link may belong to somebody else, and a link that is replaced would be lost. Links to devices and pipes are
// allowed: nothing can be lost there. Throws InvalidArgument naming `flag`.
void check_target(const std::string& flag, const std::string& target);

// A file that is written completely or not at all. It is written next to the target under another name, then renamed to
// the target. Until then, or if that never happens, an older file of that name stays unchanged. Devices and pipes
// cannot be replaced: they are written to directly. Throws InvalidArgument naming `flag`, also where `check_target`
// does.
class AtomicFile {
 public:
  AtomicFile(std::string flag, const std::string& target);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(const std::string& text);
  // Marks the file as complete.
  void put_into_place();

 private:
  [[noreturn]] void refuse() const;

  std::string flag_;
  std::string target_;
  std::string temporary_;  // empty for a device
  int descriptor_ = -1;
};

}  // namespace renyi::cli
