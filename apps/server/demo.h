// An example to look at: a ledger with scopes and charges, in a directory that is removed at the end.
#pragma once

#include <string>

#include "renyi/ledger.h"

namespace renyi::server {

class DemoDirectory {
 public:
  DemoDirectory();
  ~DemoDirectory();
  DemoDirectory(const DemoDirectory&) = delete;
  DemoDirectory& operator=(const DemoDirectory&) = delete;
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

void fill_demo(Ledger& ledger);

}  // namespace renyi::server
