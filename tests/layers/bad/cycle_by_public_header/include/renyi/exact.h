#pragma once

#include "renyi/plan.h"
