# windlass_module(<name>
#   HEADERS <file>...      public headers, relative to include/windlass/<name>/
#   SOURCES <file>...      everything compiled
#   DEPENDS <module>...    other modules; only modules that were added earlier can be named
#   LIBRARIES <target>...  third-party libraries; linked PRIVATE
#   PUBLIC_LIBRARIES <t>...  third-party libraries whose types show in headers (base only: fmt, Threads)
#   TESTS <name>...        tests/<name>_test.cc, one test program for the module
#   TEST_DEPENDS <target>...
#   SINGLE_THREADED          starts no thread and has no lock: its tests are not built under ThreadSanitizer
#   BENCHES <name>...      bench/<name>_bench.cc, one program each
#   TESTING_HEADERS <file>... TESTING_SOURCES <file>...   fakes for other modules' tests: windlass_<name>_testing
# )
#
# What it enforces:
#   1. a module exports its own include/ only, so a header of an undeclared module is not found;
#   2. a dependency has to be a target already, so only lower layers can be named and no cycle can be written;
#   3. every public header compiles alone (target all_verify_interface_header_sets);
#   4. tools/tidy.py, run as a test, checks the rest, such as includes that only a transitive dependency makes visible.
function(windlass_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SINGLE_THREADED" ""
    "HEADERS;SOURCES;DEPENDS;LIBRARIES;PUBLIC_LIBRARIES;TESTS;TEST_DEPENDS;BENCHES;TESTING_HEADERS;TESTING_SOURCES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "windlass_module(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()

  set(target windlass_${name})
  set(root "${CMAKE_CURRENT_SOURCE_DIR}")
  set(depends "")
  foreach(dependency IN LISTS arg_DEPENDS)
    if(NOT TARGET windlass_${dependency})
      message(FATAL_ERROR
        "windlass_module(${name}): '${dependency}' is not a lower layer: no module of that name has been added before it. "
        "src/CMakeLists.txt lists the modules in layer order.")
    endif()
    list(APPEND depends windlass_${dependency})
  endforeach()

  add_library(${target} STATIC)
  add_library(Windlass::${name} ALIAS ${target})
  list(TRANSFORM arg_HEADERS PREPEND "${root}/include/windlass/${name}/")
  target_sources(${target}
    PRIVATE ${arg_SOURCES}
    PUBLIC FILE_SET HEADERS BASE_DIRS "${root}/include" FILES ${arg_HEADERS})
  target_include_directories(${target} PRIVATE "${root}")
  target_compile_features(${target} PUBLIC cxx_std_23)
  target_link_libraries(${target}
    PUBLIC ${depends} ${arg_PUBLIC_LIBRARIES}
    PRIVATE ${arg_LIBRARIES} $<BUILD_INTERFACE:windlass_flags>)
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${name}
    VERIFY_INTERFACE_HEADER_SETS ${PROJECT_IS_TOP_LEVEL})
  set_property(GLOBAL APPEND PROPERTY WINDLASS_MODULES ${target})
  if(WINDLASS_PCH)
    target_precompile_headers(${target} REUSE_FROM windlass_source_pch)
  endif()

  if(arg_TESTING_SOURCES)
    add_library(${target}_testing STATIC)
    add_library(Windlass::${name}_testing ALIAS ${target}_testing)
    list(TRANSFORM arg_TESTING_HEADERS PREPEND "${root}/testing/include/windlass/${name}/testing/")
    list(TRANSFORM arg_TESTING_SOURCES PREPEND "${root}/testing/")
    target_sources(${target}_testing
      PRIVATE ${arg_TESTING_SOURCES}
      PUBLIC FILE_SET HEADERS BASE_DIRS "${root}/testing/include" FILES ${arg_TESTING_HEADERS})
    target_link_libraries(${target}_testing PUBLIC ${target} PRIVATE $<BUILD_INTERFACE:windlass_flags>)
    set_target_properties(${target}_testing PROPERTIES
      EXPORT_NAME ${name}_testing
      VERIFY_INTERFACE_HEADER_SETS ${PROJECT_IS_TOP_LEVEL})
    set_property(GLOBAL APPEND PROPERTY WINDLASS_MODULES ${target}_testing)
  endif()

  if(arg_SINGLE_THREADED AND WINDLASS_SANITIZE STREQUAL "thread")
    set(arg_TESTS "")
  endif()
  if(WINDLASS_TESTS AND arg_TESTS)
    list(TRANSFORM arg_TESTS REPLACE "(.+)" "tests/\\1_test.cc")
    add_executable(${target}_tests ${arg_TESTS})
    # Tests may look at the module's private headers.
    target_include_directories(${target}_tests PRIVATE "${root}")
    target_link_libraries(${target}_tests
      PRIVATE ${target} windlass_flags GTest::gtest_main ${arg_TEST_DEPENDS} ${arg_LIBRARIES})
    if(WINDLASS_TEST_PCH)
      target_precompile_headers(${target}_tests REUSE_FROM windlass_test_pch)
    endif()
    include(GoogleTest)
    gtest_discover_tests(${target}_tests DISCOVERY_MODE PRE_TEST
      TEST_PREFIX "${name}." PROPERTIES LABELS unit TIMEOUT 300)
  endif()

  if(WINDLASS_BENCH)
    foreach(bench IN LISTS arg_BENCHES)
      add_executable(windlass_${bench}_bench bench/${bench}_bench.cc)
      target_include_directories(windlass_${bench}_bench PRIVATE "${root}")
      target_link_libraries(windlass_${bench}_bench
        PRIVATE ${target} windlass_flags benchmark::benchmark ${arg_LIBRARIES})
      if(WINDLASS_TESTS)
        add_test(NAME bench.${bench} COMMAND windlass_${bench}_bench --benchmark_min_time=0)
        set_tests_properties(bench.${bench} PROPERTIES LABELS bench)
      endif()
    endforeach()
  endif()
endfunction()
