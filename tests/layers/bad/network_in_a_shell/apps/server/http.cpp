// Here they may be; but the commands are no part of a server.
#include <openssl/crypto.h>

#include <boost/beast/http.hpp>

#include "api/api.h"
#include "apps/cli/commands/command.h"
