#include "apps/server/secret_text.h"

#include <openssl/rand.h>

#include <array>
#include <stdexcept>
#include <string_view>

namespace renyi::server {

std::string random_text() {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  constexpr std::size_t bytes = 32, length = 43;
  std::array<unsigned char, bytes> random{};
  if (RAND_bytes(random.data(), static_cast<int>(random.size())) != 1) {
    throw std::runtime_error("the operating system gives no random bytes");
  }
  std::string text;
  for (std::size_t i = 0; i < length; ++i) {
    unsigned value = 0;  // six bits, from the bit 6 i on; behind the end there are zeros
    for (std::size_t bit = 6 * i; bit < 6 * i + 6; ++bit) {
      const unsigned one = bit / 8 < bytes ? (random[bit / 8] >> (7 - bit % 8)) & 1U : 0U;
      value = 2 * value + one;
    }
    text += letters[value];
  }
  return text;
}

}  // namespace renyi::server
