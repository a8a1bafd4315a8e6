// Whether the parts of a certificate go together; nothing is recomputed here.
#pragma once

#include <string>
#include <vector>

#include "certificate/document.h"

namespace renyi::certificate {

// What the claims refute of the answer: each contradiction with its path and both numbers.
std::vector<std::string> contradictions(const Certificate& certificate);

// What the claims do not prove of the answer: bounds that lie inside of them, and figures beside a gap.
std::vector<std::string> unproven(const Certificate& certificate);

// Claims that the question asks for and that are missing, and others that are too much.
std::vector<std::string> misfits(const Certificate& certificate);

}  // namespace renyi::certificate
