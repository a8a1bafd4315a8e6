#include <nlohmann/json_fwd.hpp>

#include "api/json/content.h"
