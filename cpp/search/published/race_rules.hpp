// Which of the published searches runs, and its parameters.
#pragma once

namespace hardwood {

struct RaceRules {
  bool adaptive = true;
  double quick_start = 0.5;  // share of the weight that all columns see first
  int quick_batches = 10;    // equal shares of the remaining weight
  // Stumps that call all rows alike compete, in every column, and win ties: see column_race.hpp.
  bool constants = false;
};

}  // namespace hardwood
