// A Python team (hardwood.distributed.team.Team) as the core's.
#pragma once

#include <nanobind/nanobind.h>

#include "distributed/team.hpp"

namespace hardwood {

// Messages become the tuples of hardwood.distributed.messages; the interpreter's lock is taken for the call.
class PythonTeam : public Team {
 public:
  explicit PythonTeam(nanobind::object team) : team_(std::move(team)) {}
  TeamAnswer ask(const std::vector<Event>& events, const std::vector<Request>& requests) override;

 private:
  nanobind::object team_;
};

}  // namespace hardwood
