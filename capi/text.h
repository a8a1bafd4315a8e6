// Texts that C owns.
#pragma once

#include <string_view>

namespace renyi::capi {

// A copy that ends with NUL and goes back by renyi_free. Throws std::bad_alloc.
char* c_text(std::string_view text);

}  // namespace renyi::capi
