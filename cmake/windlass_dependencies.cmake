# Every library we did not write, in one place. Debian's package names stand in tools/packages.sh.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(OpenSSL 3 REQUIRED)
find_package(CURL 7.88 REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json)
find_package(spdlog 1.10 REQUIRED)
find_package(LibArchive 3.6 REQUIRED)

# libyaml and libmicrohttpd ship no CMake package. Plain names keep the exported targets free of this machine's paths.
find_library(WINDLASS_LIBYAML yaml REQUIRED)
find_path(WINDLASS_LIBYAML_INCLUDE yaml.h REQUIRED)
find_library(WINDLASS_LIBMICROHTTPD microhttpd REQUIRED)
find_path(WINDLASS_LIBMICROHTTPD_INCLUDE microhttpd.h REQUIRED)
find_path(WINDLASS_TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)
mark_as_advanced(WINDLASS_LIBYAML WINDLASS_LIBYAML_INCLUDE WINDLASS_LIBMICROHTTPD
  WINDLASS_LIBMICROHTTPD_INCLUDE WINDLASS_TOMLPLUSPLUS_INCLUDE)

if(WINDLASS_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()
if(WINDLASS_BENCH)
  find_package(benchmark REQUIRED)
endif()
