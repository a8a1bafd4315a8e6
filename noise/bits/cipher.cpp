#include "noise/bits/cipher.h"

#include <openssl/provider.h>

#include <cstdint>
#include <cstring>

#include "renyi/error.h"

namespace renyi::noise {
namespace cipher_file {
namespace {

[[noreturn]] void refuse(const char* why) {
  throw Unsupported("entropy", why, "nothing was drawn; check the installation of OpenSSL");
}

unsigned char* raw(std::byte* bytes) { return reinterpret_cast<unsigned char*>(bytes); }
const unsigned char* raw(const std::byte* bytes) { return reinterpret_cast<const unsigned char*>(bytes); }

bool append(EVP_CIPHER_CTX* context, std::byte* out, const std::byte* zeros, std::size_t size) {
  int written = 0;
  return EVP_EncryptUpdate(context, raw(out), &written, raw(zeros), static_cast<int>(size)) == 1 &&
         static_cast<std::size_t>(written) == size;
}

// NIST SP 800-38A, F.5.5: the key, the counter, and the first plaintext and ciphertext blocks, whose sum is the stream.
bool knows_published_example(const EVP_CIPHER* cipher) {
  constexpr std::array<std::uint8_t, 32> key = {0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae,
                                                0xf0, 0x85, 0x7d, 0x77, 0x81, 0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61,
                                                0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4};
  constexpr std::array<std::uint8_t, 16> counter = {0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7,
                                                    0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};
  constexpr std::array<std::uint8_t, 16> plain = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
                                                  0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a};
  constexpr std::array<std::uint8_t, 16> secret = {0x60, 0x1e, 0xc3, 0x13, 0x77, 0x57, 0x89, 0xa5,
                                                   0xb7, 0xa7, 0xf5, 0x04, 0xbb, 0xf3, 0xd2, 0x28};
  std::array<std::uint8_t, 16> answer{};
  int written = 0;
  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
  const bool same = context != nullptr &&
                    EVP_EncryptInit_ex2(context, cipher, key.data(), counter.data(), nullptr) == 1 &&
                    EVP_EncryptUpdate(context, answer.data(), &written, plain.data(), 16) == 1 && answer == secret;
  EVP_CIPHER_CTX_free(context);
  return same;
}

// Everything of libcrypto that is fetched once. Its context is our own, which reads no configuration file: otherwise
// the environment variable OPENSSL_CONF could put another cipher in the place of AES.
struct Library {
  OSSL_LIB_CTX* context = OSSL_LIB_CTX_new();
  OSSL_PROVIDER* provider = nullptr;
  EVP_CIPHER* cipher = nullptr;

  Library() {
    if (context != nullptr) provider = OSSL_PROVIDER_load(context, "default");
    if (provider != nullptr) cipher = EVP_CIPHER_fetch(context, "AES-256-CTR", "provider=default");
    if (cipher != nullptr && knows_published_example(cipher)) return;
    const char* why = cipher == nullptr ? "libcrypto has no AES-256-CTR" : "AES-256-CTR of libcrypto is wrong";
    EVP_CIPHER_free(cipher);
    if (provider != nullptr) OSSL_PROVIDER_unload(provider);
    OSSL_LIB_CTX_free(context);
    refuse(why);
  }
};

const EVP_CIPHER* fetched_cipher() {
  // It is never freed, because threads may still draw while the program ends. A failure is tried again the next time.
  static const Library* library = new Library;
  return library->cipher;
}

}  // namespace
}  // namespace cipher_file

Cipher::Cipher() : cipher_(cipher_file::fetched_cipher()), context_(EVP_CIPHER_CTX_new()) {
  if (context_ == nullptr) cipher_file::refuse("libcrypto has no memory");
}

bool Cipher::stream_and_replace(CipherKey& key, std::span<std::byte> out, const std::byte* zeros) noexcept {
  static_assert(sizeof(CipherKey) == 48);
  EVP_CIPHER_CTX* context = context_.get();
  const bool done = EVP_EncryptInit_ex2(context, cipher_, cipher_file::raw(key.key.data()),
                                        cipher_file::raw(key.counter.data()), nullptr) == 1 &&
                    cipher_file::append(context, reinterpret_cast<std::byte*>(&key), zeros, sizeof key) &&
                    cipher_file::append(context, out.data(), zeros, out.size());
  // This overwrites the round keys and frees them. It is done for every stream, so that they are never in ordinary
  // memory, which dumps and forks copy, while nobody draws.
  return EVP_CIPHER_CTX_reset(context) == 1 && done;
}

}  // namespace renyi::noise
