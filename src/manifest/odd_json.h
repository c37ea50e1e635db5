// Tells JSON that is none of ours, as settings of editors and compilers are, from a manifest that
// is broken.
//
// Pure function.
#pragma once

#include <string>
#include <string_view>

namespace windlass::manifest {

// Why a file that cannot be read is left alone, or "": it is named as JSON, and has comments, which
// no reader of manifests takes, or has a comma behind a last item, and says "image" nowhere.
std::string reason_to_leave_json(std::string_view file_name, std::string_view bytes);

}  // namespace windlass::manifest
