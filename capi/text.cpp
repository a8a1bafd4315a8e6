#include "capi/text.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "renyi/c.h"

namespace renyi::capi {

char* c_text(std::string_view text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

}  // namespace renyi::capi

void renyi_free(char* text) { std::free(text); }
