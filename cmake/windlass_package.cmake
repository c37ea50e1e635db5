# What people who only want the program get: manual pages and completions beside it, and a Debian package of these.
set(packaging_dir "${PROJECT_SOURCE_DIR}/packaging")
foreach(page windlass windlass-resolve windlass-pin windlass-krm windlass-completion windlass-manual)
  install(FILES "${packaging_dir}/man/${page}.1" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    COMPONENT program)
endforeach()
install(FILES "${packaging_dir}/completions/windlass.bash" RENAME windlass
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES "${packaging_dir}/completions/_windlass"
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES "${packaging_dir}/completions/windlass.fish"
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME windlass)
set(CPACK_PACKAGE_CONTACT "The Windlass authors <windlass@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "pins container images: turns tags into digests")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
# The program alone; the libraries are for those who build.
set(CPACK_COMPONENTS_ALL program)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME windlass)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # needs Debian's dpkg-dev
set(CPACK_DEBIAN_PACKAGE_DEPENDS ca-certificates)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "")
include(CPack)

# CPack takes a missing dpkg-shlibdeps for no dependencies: the package would install and not run.
file(WRITE "${PROJECT_BINARY_DIR}/find_shlibdeps.cmake" [[
find_program(program dpkg-shlibdeps)
if(NOT program)
  message(FATAL_ERROR "dpkg-shlibdeps is missing, which finds what the package needs; first run: apt-get install dpkg-dev")
endif()
]])

add_custom_target(package_program
  COMMAND ${CMAKE_COMMAND} -P ${PROJECT_BINARY_DIR}/find_shlibdeps.cmake
  COMMAND ${CMAKE_CPACK_COMMAND} --config ${PROJECT_BINARY_DIR}/CPackConfig.cmake
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR} VERBATIM
  COMMENT "Making the Debian package")
add_dependencies(package_program windlass)
