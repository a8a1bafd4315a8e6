#include "apps/server/secret_text.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <array>
#include <stdexcept>

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

std::string sha256_of(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  std::string result;
  for (const unsigned char byte : digest) {
    result += digits[byte >> 4U];
    result += digits[byte & 15U];
  }
  return result;
}

bool is_same_secret(std::string_view one, std::string_view other) noexcept {
  return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

}  // namespace renyi::server
