#include "api/json/content.h"
#include <nlohmann/json_fwd.hpp>
