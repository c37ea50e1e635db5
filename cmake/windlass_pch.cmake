# Precompiled headers: builds that compile everything (asan, tsan, fuzz) are a third quicker with them. The preset dev has
# them for tests alone, release for nothing, so that no file of a library can forget an include.
# windlass_source_pch has the standard library, windlass_test_pch GoogleTest too:
#   target_precompile_headers(<target> REUSE_FROM windlass_test_pch)
option(WINDLASS_PCH "Use precompiled headers" OFF)
option(WINDLASS_TEST_PCH "Use precompiled headers for tests" ${WINDLASS_PCH})

if(WINDLASS_PCH OR WINDLASS_TEST_PCH)
  set(standard_headers
    <algorithm> <array> <atomic> <chrono> <condition_variable> <cstdint> <expected> <functional> <map> <memory> <mutex>
    <optional> <set> <span> <stop_token> <string> <string_view> <thread> <unordered_map> <utility> <variant> <vector>
    <fmt/format.h>)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/pch/empty.cc" CONTENT "")
endif()

if(WINDLASS_PCH)
  add_library(windlass_source_pch OBJECT "${PROJECT_BINARY_DIR}/pch/empty.cc")
  target_compile_features(windlass_source_pch PRIVATE cxx_std_23)
  target_link_libraries(windlass_source_pch PRIVATE fmt::fmt Threads::Threads windlass_flags)
  target_precompile_headers(windlass_source_pch PRIVATE ${standard_headers})
endif()

if(WINDLASS_TEST_PCH AND WINDLASS_TESTS)
  add_library(windlass_test_pch OBJECT "${PROJECT_BINARY_DIR}/pch/empty.cc")
  target_compile_features(windlass_test_pch PRIVATE cxx_std_23)
  target_link_libraries(windlass_test_pch PRIVATE fmt::fmt Threads::Threads GTest::gtest windlass_flags)
  target_precompile_headers(windlass_test_pch PRIVATE ${standard_headers} <gtest/gtest.h>)
endif()
