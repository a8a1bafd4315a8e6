// Only the server knows the network.
#include <openssl/ssl.h>

#include <boost/asio.hpp>

#include "apps/server/server.h"
