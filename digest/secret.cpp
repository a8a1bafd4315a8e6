#include "digest/secret.h"

#include <openssl/crypto.h>

namespace renyi::digest {

bool is_same_secret(std::string_view one, std::string_view other) noexcept {
  return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

}  // namespace renyi::digest
