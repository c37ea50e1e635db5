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

# Reads the sources as the preset clang would compile them; of that, only what is generated has to be built.
run_clang_tidy() {
  build_preset clang --target windlass_version
  (cd "$root" && git ls-files 'src/*.cc' 'apps/*.cc' | grep -vE '/(tests|bench)/' |
    xargs -n 4 -P "$jobs" clang-tidy-19 -p build/clang --quiet --warnings-as-errors='*') \
    >"$root/build/clang-tidy.log" 2>&1 || {
    grep -E 'error:|warning:' "$root/build/clang-tidy.log" | sort -u | head -n 40 >&2
    die "clang-tidy found something; the whole output is in build/clang-tidy.log"
  }
}

# A finding ends that target's run and leaves its input in build/fuzz; the others go on. ./test --full searches the
# same way each time, so that a change is judged by what it changes; ./test --fuzz looks for what is not known yet.
fuzz_seconds=30
fuzz_seed=1

run_fuzzer() {
  local target=$1 name log
  name=$(basename "$target")
  log="$root/build/fuzz/$name.log"
  mkdir -p "$root/build/fuzz/corpus/$name"
  (cd "$root/build/fuzz" &&
    "$target" -max_total_time="$fuzz_seconds" -seed="$fuzz_seed" -timeout=10 -rss_limit_mb=2048 \
      "corpus/$name" "$root/fuzz/corpus/${name%_fuzz}") >"$log" 2>&1 || {
    tail -n 40 "$log" >&2
    say "error: the fuzz target $name found something; its input is in build/fuzz"
    return 1
  }
  say "   $name: $(grep -E 'Done ' "$log")"
}

run_fuzzers() {
  export -f run_fuzzer say
  export root fuzz_seconds fuzz_seed
  printf '%s\n' "$root"/build/fuzz/fuzz/*_fuzz |
    xargs -n 1 -P "$jobs" bash -c 'run_fuzzer "$1"' run_fuzzer ||
    die "fuzzing found something"
}

fuzz_all() {
  step "Building the fuzz targets (build/fuzz)" build_preset fuzz --target fuzz/all
  step "Fuzzing, $fuzz_seconds s each" run_fuzzers
}

full_checks() {
  sanitizer_options
  step "Format" check_format
  step "clang-tidy" run_clang_tidy
  step "Building with clang-19, thread-safety analysis, AddressSanitizer and UBSan (build/asan)" \
    build_preset asan
  step "Testing with AddressSanitizer and UBSan" run_ctest asan "$@"
  step "Building with ThreadSanitizer (build/tsan)" build_preset tsan
  step "Testing with ThreadSanitizer" run_ctest tsan "$@"
  fuzz_all
}
