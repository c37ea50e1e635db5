# Debian packages that the build, the demonstration and the tests need. Sourced by ./run and ./test.
#
#   require_packages "what for" PACKAGE...   installs what is missing, or says what is missing and ends
#   unpack_docker_registry, unpack_nginx,
#   unpack_promtool                          put Debian's docker-registry, nginx, promtool under build/tools
#   configure_preset PRESET                  configures a CMake preset (once)
#   build_preset PRESET [ARGUMENT...]        configures and builds a CMake preset
#
# Reads: root (the project's folder), install (yes or no).

build_packages=(ca-certificates cmake g++ ninja-build ccache libfmt-dev libssl-dev
  libcurl4-openssl-dev libyaml-dev libboost-json1.81-dev libtomlplusplus-dev libarchive-dev
  libspdlog-dev libmicrohttpd-dev)
demo_packages=(python3)
test_packages=(python3 skopeo libgtest-dev librapidcheck-dev libbenchmark-dev openssl pkg-config
  git)
full_packages=(clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev llvm-19)

say() { printf '%s\n' "$*" >&2; }
die() {
  say "error: $*"
  exit 1
}

make_build_folder() {
  mkdir -p "$root/build" 2>/dev/null && [ -w "$root/build" ] ||
    die "$root/build cannot be written, and all that is built goes there; clone to a folder of your own"
}

# Prints those of its arguments that are not installed.
missing_packages() {
  local package status
  local -A installed=()
  while read -r package status; do
    [ "$status" = ii ] && installed[$package]=1
  done < <(dpkg-query -W -f='${Package} ${db:Status-Abbrev}\n' "$@" 2>/dev/null)
  for package in "$@"; do
    [ -n "${installed[$package]:-}" ] || printf '%s\n' "$package"
  done
}

# Runs a command as root. Locking the folder makes two clones that install at once take turns.
as_root() {
  local runner=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      die "installing packages needs root, and there is no sudo; as root:
       apt-get install -y --no-install-recommends ${missing[*]}"
    runner=(sudo)
  fi
  flock /var/lib/dpkg "${runner[@]}" env DEBIAN_FRONTEND=noninteractive "$@"
}

apt_install() {
  as_root apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=600 "$@"
}

# What apt itself said went wrong, for people.
show_apt_errors() { grep -E '^(E|Err|W)[: ]' "$root/build/apt.log" | tail -n 5 >&2 || true; }

require_packages() {
  local purpose=$1 missing log="$root/build/apt.log"
  shift
  command -v dpkg-query >/dev/null ||
    die "this is not a Debian system; CONTRIBUTING.md shows the plain CMake way and what it needs"
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$install" = no ]; then
    die "packages are missing $purpose: ${missing[*]}
       as root: apt-get install -y --no-install-recommends ${missing[*]}"
  fi
  say "Installing Debian packages $purpose: ${missing[*]}"
  make_build_folder
  if ! apt_install "${missing[@]}" >"$log" 2>&1; then
    # An old or empty package list is the usual cause: read the lists again, once.
    as_root apt-get update >>"$log" 2>&1 || true
    apt_install "${missing[@]}" >>"$log" 2>&1 || true
    mapfile -t missing < <(missing_packages "${missing[@]}")
    [ ${#missing[@]} -eq 0 ] && return 0
    show_apt_errors
    die "could not install: ${missing[*]}
       All of apt's output is in build/apt.log. Check the network, and that this is Debian 12 (bookworm)."
  fi
}

# The packages docker-registry, nginx and prometheus would start a service, now and at every boot. Only their programs are
# wanted: they are taken out of the packages, into the build folder.
unpack_docker_registry() { unpack_program docker-registry usr/bin/docker-registry; }
unpack_nginx() {
  require_packages "for nginx" libpcre2-8-0
  unpack_program nginx usr/sbin/nginx
}
unpack_promtool() { unpack_program promtool usr/bin/promtool prometheus; }

# Program, its place in the package, and the package where that has another name.
unpack_program() {
  local name=$1 path=$2 package=${3:-$1} tools="$root/build/tools" log="$root/build/apt.log" scratch
  [ ! -x "$tools/$name" ] || return 0
  mkdir -p "$tools"
  if command -v "$name" >/dev/null; then
    ln -sf "$(command -v "$name")" "$tools/$name"
    return 0
  fi
  [ "$install" = yes ] ||
    die "the program $name is missing; Debian's package $package has it"
  say "Fetching Debian's package $package into build/tools (it is not installed)"
  scratch=$(mktemp -d "$tools/unpack.XXXXXX")
  if ! (cd "$scratch" && fetch_package "$package" && dpkg-deb -x "$package"_*.deb .) >>"$log" 2>&1; then
    rm -rf "$scratch"
    show_apt_errors
    die "could not fetch the package $package; all of apt's output is in build/apt.log"
  fi
  mv -f "$scratch/$path" "$tools/$name"
  rm -rf "$scratch"
}

fetch_package() {
  apt-get download "$1" || { as_root apt-get update && apt-get download "$1"; }
}

# Compiler output is kept per clone, unless the caller has a cache of their own.
use_ccache() {
  export CCACHE_DIR=${CCACHE_DIR:-$root/build/ccache}
  export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-2G}
  # Without this no source that uses a precompiled header is kept.
  export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
}

# Runs a command that ends, with all it started, when a signal ends this script: a shell would wait for it first, and
# leave a build behind.
tended() {
  "$@" </dev/null &
  local child=$! status=0
  trap 'end_tree '$child'; exit 130' INT
  trap 'end_tree '$child'; exit 143' TERM HUP
  wait "$child" || status=$?
  trap - INT TERM HUP
  return "$status"
}
end_tree() {
  local child
  for child in $(cat "/proc/$1/task/"*/children 2>/dev/null); do end_tree "$child"; done
  kill -TERM "$1" 2>/dev/null || true
}

# Configuring is done once; ninja does it again when a CMake file has changed. A terminal sees the build go on, a log
# file sees only what went wrong.
configure_preset() {
  local preset=$1 log="$root/build/$1.log"
  make_build_folder
  [ ! -f "$root/build/$preset/build.ninja" ] || return 0
  tended cmake -S "$root" --preset "$preset" >"$log" 2>&1 || {
    cat "$log" >&2
    die "configuring the preset '$preset' failed"
  }
}
build_preset() {
  local preset=$1 log="$root/build/$1.log"
  shift
  configure_preset "$preset"
  if [ -t 2 ]; then
    tended cmake --build "$root/build/$preset" "$@" >&2 ||
      die "building the preset '$preset' failed"
  else
    tended cmake --build "$root/build/$preset" "$@" >"$log" 2>&1 || {
      grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking|Scanning)' "$log" | tail -n 80 >&2
      die "building the preset '$preset' failed; the whole output is in build/$preset.log"
    }
  fi
}
