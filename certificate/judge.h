// Whether the parts of a certificate go together; nothing is recomputed here.
#pragma once

#include <string>
#include <vector>

#include "certificate/document.h"

namespace renyi::certificate {

// What the fast library says against what the claims prove: each contradiction with its path and both numbers.
std::vector<std::string> contradictions(const Certificate& certificate);

// Claims that the question asks for and that are missing, and others that are too much.
std::vector<std::string> misfits(const Certificate& certificate);

}  // namespace renyi::certificate
