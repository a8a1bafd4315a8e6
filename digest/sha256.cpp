#include "digest/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace renyi::digest {

namespace sha256_file {
namespace {

// Looked up once: EVP_sha256() would be fetched anew for every digest.
const EVP_MD* algorithm() {
  static const EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return fetched;
}

}  // namespace
}  // namespace sha256_file

std::string hexadecimal(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += digits[value >> 4];
    text += digits[value & 15];
  }
  return text;
}

std::string sha256(std::string_view bytes) {
  std::array<char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  auto* out = reinterpret_cast<unsigned char*>(digest.data());
  if (EVP_Digest(bytes.data(), bytes.size(), out, &size, sha256_file::algorithm(), nullptr) != 1) {
    throw std::runtime_error("libcrypto computes no SHA-256");
  }
  return hexadecimal({digest.data(), size});
}

}  // namespace renyi::digest
