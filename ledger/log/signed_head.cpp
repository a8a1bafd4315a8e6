// Heads that are signed by Ed25519.
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <array>
#include <memory>

#include "digest/sha256.h"
#include "renyi/error.h"
#include "renyi/ledger.h"

namespace renyi {

namespace signed_head_file {
namespace {

template <auto free>
struct Free {
  template <class Type>
  void operator()(Type* pointer) const noexcept {
    free(pointer);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Context = std::unique_ptr<EVP_MD_CTX, Free<EVP_MD_CTX_free>>;
using Bytes = std::unique_ptr<BIO, Free<BIO_free>>;

std::string signed_text(const LedgerHead& head) {
  return "renyi ledger head\n" + head.ledger + "\n" + std::to_string(head.entry) + "\n" + head.hash + "\n";
}

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

Key read_key(std::string_view pem, bool is_private) {
  const Bytes text(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  Key key(is_private ? PEM_read_bio_PrivateKey(text.get(), nullptr, nullptr, nullptr)
                     : PEM_read_bio_PUBKEY(text.get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  if (!key || EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_ED25519) {
    throw InvalidArgument(is_private ? "private_key" : "public_key", "another text",
                          is_private ? "a PEM text of an Ed25519 key, as `openssl genpkey -algorithm ed25519` writes it"
                                     : "a PEM text of an Ed25519 public key, as `openssl pkey -pubout` writes it");
  }
  return key;
}

std::string read_digits(std::string_view digits) {
  std::string bytes;
  const auto value = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    const int high = value(digits[i]), low = value(digits[i + 1]);
    if (high < 0 || low < 0) return {};
    bytes += static_cast<char>(16 * high + low);
  }
  return digits.size() % 2 == 0 ? bytes : std::string();
}

}  // namespace
}  // namespace signed_head_file

std::string sign_head(const LedgerHead& head, std::string_view private_key) {
  using namespace signed_head_file;
  const Key key = read_key(private_key, true);
  const Context context(EVP_MD_CTX_new());
  const std::string text = signed_text(head);
  std::array<char, 64> signature{};
  std::size_t size = signature.size();
  if (EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1 ||
      EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes_of(text),
                     text.size()) != 1) {
    throw Unsupported("private_key", "libcrypto does not sign with it", "make another key");
  }
  return digest::hexadecimal({signature.data(), size});
}

bool is_signed(const LedgerHead& head, std::string_view signature, std::string_view public_key) {
  using namespace signed_head_file;
  const Key key = read_key(public_key, false);
  const Context context(EVP_MD_CTX_new());
  const std::string text = signed_text(head), bytes = read_digits(signature);
  if (EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1) return false;
  const bool valid = EVP_DigestVerify(context.get(), bytes_of(bytes), bytes.size(), bytes_of(text), text.size()) == 1;
  ERR_clear_error();
  return valid;
}

}  // namespace renyi
