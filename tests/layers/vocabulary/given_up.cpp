// A name that this project used before.
class ExactAccountant;
