#include "explain/words.h"
