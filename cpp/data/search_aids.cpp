#include "data/search_aids.hpp"

namespace hardwood {

std::shared_ptr<SearchAids> no_search_aids() {
  return std::make_shared<SearchAids>();
}

}  // namespace hardwood
