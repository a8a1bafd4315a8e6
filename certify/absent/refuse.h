// The error with which a build without Arb refuses every question.
#pragma once

#include "renyi/error.h"

namespace renyi::certify {

[[noreturn]] inline void refuse() {
  throw Unsupported(
      "certify", "this build of renyi is without certified arithmetic",
      "build it with -DRENYI_CERTIFY=ON, which needs Arb and libcrypto (Debian: libflint-arb-dev and libssl-dev)");
}

}  // namespace renyi::certify
