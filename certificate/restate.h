// What this library would answer, against what a certificate of the same version states: an answer that is proven but
// not the one it makes, or a different order, was put there by somebody.
#pragma once

#include <string>
#include <vector>

#include "certificate/document.h"

namespace renyi::certificate {

// The differences, each with its path. The claims must have been found right: the answer is settled by them again.
std::vector<std::string> differences(const Certificate& certificate);

}  // namespace renyi::certificate
