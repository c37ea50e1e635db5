// A PinReport as SARIF 2.1.0, for tools that show findings beside the code.
//
// Pure function.
#pragma once

#include <string>

#include "pin_report.h"

namespace windlass::app {

std::string pin_sarif(const PinReport& report);

}  // namespace windlass::app
