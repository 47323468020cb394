// A question asked now and then during long work: should it stop? Asked from any thread; throws to stop.
#pragma once

#include <functional>

namespace hardwood {

using Poll = std::function<void()>;

}  // namespace hardwood
