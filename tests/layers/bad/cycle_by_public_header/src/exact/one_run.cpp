#include "plan/select.h"
#include "renyi/account.h"
#include "renyi/exact.h"
