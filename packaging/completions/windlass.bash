# Completions of windlass for bash.
_windlass() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "resolve pin krm completion manual --version -h --help " -- "$current"))
    return
  fi
  case ${COMP_WORDS[1]} in
    resolve)
      case $previous in
        -f|--file) compopt -o default; return ;;
        -o|--output) COMPREPLY=($(compgen -W "text digest json ndjson" -- "$current")); return ;;
        --timeout) COMPREPLY=(); return ;;
        --max-in-flight) COMPREPLY=(); return ;;
        --retries) COMPREPLY=(); return ;;
        --rate) COMPREPLY=(); return ;;
        --skip) COMPREPLY=(); return ;;
        --platform) COMPREPLY=(); return ;;
        --source) COMPREPLY=(); return ;;
        --authfile) compopt -o default; return ;;
        --ca-file) compopt -o default; return ;;
        --plain-http) COMPREPLY=(); return ;;
        --tls) COMPREPLY=(); return ;;
        --cert-dir) compopt -o default; return ;;
        --registries-conf) compopt -o default; return ;;
        --short-names) COMPREPLY=($(compgen -W "docker podman" -- "$current")); return ;;
        --trust-realm) COMPREPLY=(); return ;;
        --progress) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
        --log-format) COMPREPLY=($(compgen -W "text json" -- "$current")); return ;;
        --metrics-file) compopt -o default; return ;;
        --trace-endpoint) COMPREPLY=(); return ;;
        --config) compopt -o default; return ;;
      esac
      if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "-f --file -o --output --timeout --max-in-flight --retries --rate --skip --platform --source --authfile --ca-file --plain-http --tls --cert-dir --registries-conf --short-names --trust-realm --progress -q --quiet -v --verbose --log-format --metrics-file --trace-endpoint --config -h --help " -- "$current"))
        return
      fi
      COMPREPLY=()
      ;;
    pin)
      case $previous in
        --plan) compopt -o default; return ;;
        --apply) compopt -o default; return ;;
        --style) COMPREPLY=($(compgen -W "tag digest comment" -- "$current")); return ;;
        --lock) compopt -o default; return ;;
        --format) COMPREPLY=($(compgen -W "kubernetes kustomization helm-values compose workflow dockerfile" -- "$current")); return ;;
        --rules) compopt -o default; return ;;
        -o|--output) COMPREPLY=($(compgen -W "text json ndjson sarif" -- "$current")); return ;;
        --annotations) COMPREPLY=($(compgen -W "none github" -- "$current")); return ;;
        --timeout) COMPREPLY=(); return ;;
        --max-in-flight) COMPREPLY=(); return ;;
        --retries) COMPREPLY=(); return ;;
        --rate) COMPREPLY=(); return ;;
        --skip) COMPREPLY=(); return ;;
        --platform) COMPREPLY=(); return ;;
        --source) COMPREPLY=(); return ;;
        --authfile) compopt -o default; return ;;
        --ca-file) compopt -o default; return ;;
        --plain-http) COMPREPLY=(); return ;;
        --tls) COMPREPLY=(); return ;;
        --cert-dir) compopt -o default; return ;;
        --registries-conf) compopt -o default; return ;;
        --short-names) COMPREPLY=($(compgen -W "docker podman" -- "$current")); return ;;
        --trust-realm) COMPREPLY=(); return ;;
        --progress) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
        --log-format) COMPREPLY=($(compgen -W "text json" -- "$current")); return ;;
        --metrics-file) compopt -o default; return ;;
        --trace-endpoint) COMPREPLY=(); return ;;
        --config) compopt -o default; return ;;
      esac
      if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "-i --in-place --diff --check --list --explain --plan --apply --verify --style --update --unpin --lock --offline --keep-going --format --rules --no-ignore --in-strings --allow-duplicate-keys -o --output --annotations --timeout --max-in-flight --retries --rate --skip --platform --source --authfile --ca-file --plain-http --tls --cert-dir --registries-conf --short-names --trust-realm --progress -q --quiet -v --verbose --log-format --metrics-file --trace-endpoint --config -h --help " -- "$current"))
        return
      fi
      compopt -o default
      ;;
    krm)
      case $previous in
        --style) COMPREPLY=($(compgen -W "tag digest" -- "$current")); return ;;
        --lock) compopt -o default; return ;;
        --timeout) COMPREPLY=(); return ;;
        --max-in-flight) COMPREPLY=(); return ;;
        --retries) COMPREPLY=(); return ;;
        --rate) COMPREPLY=(); return ;;
        --skip) COMPREPLY=(); return ;;
        --platform) COMPREPLY=(); return ;;
        --source) COMPREPLY=(); return ;;
        --authfile) compopt -o default; return ;;
        --ca-file) compopt -o default; return ;;
        --plain-http) COMPREPLY=(); return ;;
        --tls) COMPREPLY=(); return ;;
        --cert-dir) compopt -o default; return ;;
        --registries-conf) compopt -o default; return ;;
        --short-names) COMPREPLY=($(compgen -W "docker podman" -- "$current")); return ;;
        --trust-realm) COMPREPLY=(); return ;;
        --progress) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
        --log-format) COMPREPLY=($(compgen -W "text json" -- "$current")); return ;;
        --metrics-file) compopt -o default; return ;;
        --trace-endpoint) COMPREPLY=(); return ;;
        --config) compopt -o default; return ;;
      esac
      if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "--style --lock --offline --in-strings --timeout --max-in-flight --retries --rate --skip --platform --source --authfile --ca-file --plain-http --tls --cert-dir --registries-conf --short-names --trust-realm --progress -q --quiet -v --verbose --log-format --metrics-file --trace-endpoint --config -h --help " -- "$current"))
        return
      fi
      COMPREPLY=()
      ;;
    completion)
      case $previous in
      esac
      if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "-h --help " -- "$current"))
        return
      fi
      COMPREPLY=($(compgen -W "bash zsh fish" -- "$current"))
      ;;
    manual)
      case $previous in
      esac
      if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "-h --help " -- "$current"))
        return
      fi
      COMPREPLY=($(compgen -W "man markdown" -- "$current"))
      ;;
  esac
}
complete -F _windlass windlass
