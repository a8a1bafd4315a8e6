#include "ledger/log/random.h"

#include <openssl/rand.h>

#include "digest/sha256.h"
#include "renyi/error.h"

namespace renyi::ledger {

std::string random_digits(std::size_t bytes) {
  std::string drawn(bytes, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(drawn.data()), static_cast<int>(bytes)) != 1) {
    throw Unsupported("ledger", "the system gives no random bits", "look at its source of randomness");
  }
  return digest::hexadecimal(drawn);
}

}  // namespace renyi::ledger
