#include "attic/words.h"
