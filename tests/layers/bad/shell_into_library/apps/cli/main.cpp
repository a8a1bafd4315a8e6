#include "plan/plan_reader.h"
