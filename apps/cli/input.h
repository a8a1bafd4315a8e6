// Files and standard input.
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
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

}  // namespace renyi::cli
