#include "renyi/exact.h"

#include "renyi/account.h"
#include "plan/select.h"
