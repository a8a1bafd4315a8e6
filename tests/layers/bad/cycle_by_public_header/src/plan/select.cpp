#include "renyi/exact.h"

#include "renyi/account.h"
#include "renyi/error.h"
#include "renyi/renyi.h"
#include "renyi/attic.h"
