# Installs the libraries with their headers, a CMake package, a pkg-config file and the program.
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY WINDLASS_MODULES)

# A build of single targets (./run builds the program alone) would fill the prefix by half and then stop.
function(windlass_refuse_unbuilt component)
  list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
  install(CODE "
    foreach(file IN ITEMS ${files})
      if(NOT EXISTS \"\${file}\")
        message(FATAL_ERROR
          \"\${file} is not built, so nothing is installed; first run: cmake --build ${PROJECT_BINARY_DIR}\")
      endif()
    endforeach()" COMPONENT ${component})
endfunction()
windlass_refuse_unbuilt(Unspecified ${modules} windlass)
windlass_refuse_unbuilt(program windlass)

install(TARGETS ${modules}
  EXPORT WindlassTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Windlass)
install(EXPORT WindlassTargets NAMESPACE Windlass:: DESTINATION ${package_dir})
configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/WindlassConfig.cmake.in" "${PROJECT_BINARY_DIR}/WindlassConfig.cmake"
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/WindlassConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/WindlassConfig.cmake" "${PROJECT_BINARY_DIR}/WindlassConfigVersion.cmake"
  DESTINATION ${package_dir})

# Static libraries are named from the highest layer to the lowest: a linker reads from left to right.
set(WINDLASS_PC_LIBS "")
list(REVERSE modules)
foreach(module IN LISTS modules)
  if(NOT module MATCHES "_testing$")
    string(APPEND WINDLASS_PC_LIBS " -l${module}")
  endif()
endforeach()
# The file finds its prefix from where it stands, so an installation may be moved.
file(RELATIVE_PATH WINDLASS_PC_PREFIX
  "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/windlass.pc.in" "${PROJECT_BINARY_DIR}/windlass.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/windlass.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS windlass RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md"
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/windlass COMPONENT program)
if(PROJECT_IS_TOP_LEVEL)
  include(windlass_package)
endif()
