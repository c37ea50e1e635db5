# One interface target, windlass_flags, carries how our own code is compiled. It is never exported.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# Debug is for tests that run by the million: -O1 keeps them quick, -g1 keeps stack traces and small files.
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1 -D_GLIBCXX_ASSERTIONS")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(WINDLASS_CCACHE ccache)
mark_as_advanced(WINDLASS_CCACHE)
if(WINDLASS_CCACHE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${WINDLASS_CCACHE}")
endif()

add_library(windlass_flags INTERFACE)
target_compile_options(windlass_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
  # A designated initializer names what it sets; the rest is meant to take its default.
  -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports overlapping copies inside its own std::string (GCC bug 105651).
  target_compile_options(windlass_flags INTERFACE -Wno-restrict)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(windlass_flags INTERFACE -Wthread-safety -Wthread-safety-beta)
endif()
if(WINDLASS_WERROR)
  target_compile_options(windlass_flags INTERFACE -Werror)
endif()

if(WINDLASS_SANITIZE)
  # Global: every object of the build has to agree, the test runner included.
  add_compile_options(-fsanitize=${WINDLASS_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${WINDLASS_SANITIZE})
  if(WINDLASS_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The sanitizers confuse g++'s flow analysis.
    target_compile_options(windlass_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
