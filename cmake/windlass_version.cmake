# Run at every build: writes OUTPUT from INPUT with the commit of SOURCE, only when that has changed.
# A source tree without git, such as an unpacked archive, has no commit, or the one in WINDLASS_COMMIT.
if(NOT WINDLASS_COMMIT)
  execute_process(COMMAND git -C "${SOURCE}" describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE WINDLASS_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
configure_file("${INPUT}" "${OUTPUT}" @ONLY)
