#include <openssl/sha.h>

#include <nlohmann/json.hpp>
