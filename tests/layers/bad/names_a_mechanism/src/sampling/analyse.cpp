Mechanism nothing() { return NoOp{}; }
