// Which parts of an answer are asked for, and how narrow the exact one.
#pragma once

#include <array>
#include <string_view>

#include "json/field.h"
#include "renyi/exact.h"

namespace renyi::api {

struct Wanted {
  bool renyi = true;
  bool exact = true;
  ExactOptions options{};
  bool tolerance_given = false;
};

// "want" (default: every part there is), "tolerance" and "memory" (MiB). The last two are
// about the exact part, and refused where that is not wanted.
Wanted read_want(const json::Field& request);

}  // namespace renyi::api
