// Annotations: a PinReport in the lines that GitHub's runners show beside the code.
//
// Pure function.
#pragma once

#include <string>

#include "pin_report.h"

namespace windlass::app {

// "::error file=a.yaml,line=3,col=12,title=windlass: unpinned::nginx:1 is not pinned ..."
std::string github_annotations(const PinReport& report);

}  // namespace windlass::app
