// Rounds of one booster, or of several at the same time: the classes of one-versus-rest do not depend on each
// other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "boosting/booster.hpp"

namespace hardwood {

// Up to `count` rounds of each booster; `allowed` has a row of column flags per round, or is null: all columns.
struct WantedRounds {
  int count = 0;
  const std::uint8_t* allowed = nullptr;
  std::size_t columns = 0;
};

std::vector<Round> run_rounds(Booster& booster, const WantedRounds& wanted, Pool& pool, const Poll& poll);

// The rounds of each booster. Boosters that are under way share the threads; which rounds come out does not
// depend on how many are.
std::vector<std::vector<Round>> run_together(std::span<Booster* const> boosters, const WantedRounds& wanted,
                                             int threads, const Poll& poll);

}  // namespace hardwood
