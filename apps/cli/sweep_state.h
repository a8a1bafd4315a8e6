// FILE.sweep: which sweep FILE is a part of. It stands beside FILE until all rows are there, and is locked by the one
// program that adds rows (docs/format/sweep.md).
#pragma once

#include <string>

#include "apps/cli/descriptor.h"

namespace renyi::cli {

class SweepState {
 public:
  // Opens or makes it, and locks it. Throws InvalidArgument, also where another program holds it, or it is a link.
  explicit SweepState(const std::string& name);

  static bool is_there(const std::string& name);

  // What it holds: incomplete where no sweep was begun, one was ended before it could be written down, or the file is
  // somebody else's.
  struct Content {
    std::string text;
    bool complete = false;
  };
  Content content() const;
  void set(const std::string& text) const;
  // As if no sweep had been begun.
  void remove() const;

 private:
  Descriptor file_;
};

}  // namespace renyi::cli
