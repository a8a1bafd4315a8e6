// A file by its descriptor: closed at the end of its life, failures told with its name.
#pragma once

#include <string>
#include <string_view>

namespace renyi::cli {

class Descriptor {
 public:
  // As open(2). Throws InvalidArgument.
  Descriptor(std::string name, int flags);
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) = delete;
  ~Descriptor();

  const std::string& name() const noexcept { return name_; }
  int number() const noexcept { return number_; }

  // Each throws Failure.
  void write(std::string_view text) const;
  // Keeps so many bytes, and goes on behind them.
  void cut(std::size_t bytes) const;
  // Not before the disk has it.
  void settle() const;

  // Throws Failure with the reason the system gives.
  [[noreturn]] void fail() const;

 private:
  std::string name_;
  int number_;
};

}  // namespace renyi::cli
