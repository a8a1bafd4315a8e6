// It knows addresses and bytes, and nothing of budgets.
#include <openssl/ssl.h>

#include "api/api.h"
