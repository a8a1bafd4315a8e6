#pragma once

#include "renyi/curve.h"
#include "renyi/unit.h"
