#!/usr/bin/env bash
# What the action runs: inputs come as lines in the environment, so that no shell takes them apart.
set -euo pipefail
mapfile -t paths < <(printf '%s\n' "$WINDLASS_PATHS" | sed '/^$/d')
mapfile -t arguments < <(printf '%s\n' "${WINDLASS_ARGUMENTS:-}" | sed '/^$/d')
exec "${WINDLASS:-windlass}" pin --check --annotations github "${arguments[@]}" -- "${paths[@]}"
