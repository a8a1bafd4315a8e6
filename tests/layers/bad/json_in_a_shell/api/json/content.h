// Here it may be.
#include <nlohmann/json.hpp>

#include "json/json.h"
