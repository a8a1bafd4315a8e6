// AES-256 in counter mode, by libcrypto.
#pragma once

#include <openssl/evp.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>

namespace renyi::noise {

// The key and the first value of the counter.
struct CipherKey {
  std::array<std::byte, 32> key;
  std::array<std::byte, 16> counter;
};

// Computes key streams. Between calls it holds no key, and nothing that was derived from one.
class Cipher {
 public:
  // Throws Unsupported if libcrypto has no AES-256-CTR, or one that fails a published example.
  Cipher();
  // Fast key erasure: the first 48 bytes of the stream of `key` replace `key`, and those after them are written to
  // `out`. `zeros` are at least 48 bytes, and at least as many as `out`; they may be the same memory. Returns whether
  // it worked; if not, `key` and `out` hold anything.
  [[nodiscard]] bool stream_and_replace(CipherKey& key, std::span<std::byte> out, const std::byte* zeros) noexcept;

 private:
  struct Free {
    void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
  };
  const EVP_CIPHER* cipher_;
  std::unique_ptr<EVP_CIPHER_CTX, Free> context_;
};

}  // namespace renyi::noise
