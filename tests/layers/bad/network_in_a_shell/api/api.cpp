#include <openssl/sha.h>

#include "apps/server/server.h"
