#pragma once

#include <vector>

#include "renyi/mechanism.h"
