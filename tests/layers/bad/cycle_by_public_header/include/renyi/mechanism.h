#pragma once

#include "renyi/curve.h"
#include "renyi/group_privacy.h"
