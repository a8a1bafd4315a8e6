// A comment whose subject has to be guessed.
int figure = 0;  // of the plan
