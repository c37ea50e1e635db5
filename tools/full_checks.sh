# What ./test --full does beyond ./test. Sourced by it.

sanitizer_options() {
  export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
  export UBSAN_OPTIONS=print_stacktrace=1
  export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
}

check_format() {
  (cd "$root" && git ls-files '*.h' '*.cc' | xargs clang-format-19 --dry-run -Werror) \
    >"$root/build/format.log" 2>&1 || {
    grep -E 'error:' "$root/build/format.log" | head -n 20 >&2
    die "files are not formatted; run: clang-format-19 -i FILE"
  }
}

run_clang_tidy() {
  (cd "$root" && git ls-files 'src/*.cc' 'apps/*.cc' | grep -vE '/(tests|bench)/' |
    xargs -n 4 -P "$jobs" clang-tidy-19 -p build/clang --quiet --warnings-as-errors='*') \
    >"$root/build/clang-tidy.log" 2>&1 || {
    grep -E 'error:|warning:' "$root/build/clang-tidy.log" | sort -u | head -n 40 >&2
    die "clang-tidy found something; the whole output is in build/clang-tidy.log"
  }
}

# Seconds each fuzz target runs; a finding ends the run and leaves its input in build/fuzz.
run_fuzzers() {
  local seconds=${FUZZ_SECONDS:-20} target name
  for target in "$root"/build/fuzz/fuzz/*_fuzz; do
    name=$(basename "$target")
    mkdir -p "$root/build/fuzz/corpus/$name"
    (cd "$root/build/fuzz" &&
      "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        "corpus/$name" "$root/fuzz/corpus/${name%_fuzz}") >"$root/build/fuzz/$name.log" 2>&1 || {
      tail -n 40 "$root/build/fuzz/$name.log" >&2
      die "the fuzz target $name found something; its input is in build/fuzz"
    }
    say "   $name: $(grep -E 'Done ' "$root/build/fuzz/$name.log")"
  done
}

full_checks() {
  sanitizer_options
  step "Format" check_format
  step "Building with clang-19 and thread-safety analysis (build/clang)" build_tests clang
  step "clang-tidy" run_clang_tidy
  step "Building with AddressSanitizer and UBSan (build/asan)" build_preset asan
  step "Testing with AddressSanitizer and UBSan" run_ctest asan "$@"
  step "Building with ThreadSanitizer (build/tsan)" build_preset tsan
  step "Testing with ThreadSanitizer" run_ctest tsan "$@"
  if [ -d "$root/fuzz" ]; then
    step "Building the fuzz targets (build/fuzz)" build_preset fuzz --target fuzz/all
    step "Fuzzing, ${FUZZ_SECONDS:-20} s each" run_fuzzers
  fi
}
