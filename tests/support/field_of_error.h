// The field that a call complains about.
#pragma once

#include <string>

#include "renyi/error.h"

namespace renyi::test {

// "none" if the call accepts its arguments. Other errors than these are not caught.
template <class Expected = InvalidArgument>
std::string field_of(const auto& call) {
  try {
    call();
  } catch (const Expected& error) {
    return error.path();
  }
  return "none";
}

}  // namespace renyi::test
