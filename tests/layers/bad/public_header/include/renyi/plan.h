#include <nlohmann/json.hpp>

#include "plan/tree.h"
