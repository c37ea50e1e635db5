#include "in_flight.h"

#include <algorithm>

#include "windlass/base/check.h"

namespace windlass::resolver {

Standing standing_of(const RegistryGate& gate) {
  if (gate.under_way() == 0) return Standing::kIdle;
  return gate.answers() ? Standing::kAnswers : Standing::kSilent;
}

InFlight::InFlight(int max, int beyond) : max_(max), beyond_(beyond) {
  WINDLASS_CHECK(max >= 0 && beyond >= 0);
}

bool InFlight::admits(Standing standing) const {
  const int all = under_way_ + abandoned_;
  switch (standing) {
    case Standing::kIdle: return max_ > 0 && all < max_ + beyond_;
    case Standing::kAnswers: return all < max_;
    case Standing::kSilent: return all < max_ && silent_ < std::max(1, max_ / 2);
  }
  return false;
}

void InFlight::add(const RegistryGate& gate) {
  under_way_ += gate.under_way();
  if (!gate.answers()) silent_ += gate.under_way();
}

void InFlight::take_out(const RegistryGate& gate) {
  under_way_ -= gate.under_way();
  if (!gate.answers()) silent_ -= gate.under_way();
}

void InFlight::end_abandoned() {
  WINDLASS_CHECK(abandoned_ > 0);
  --abandoned_;
}

}  // namespace windlass::resolver
