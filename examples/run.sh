#!/usr/bin/env bash
# Shows the main job on the files beside this script: import them into a new archive, see what came
# of it, write one clean PGN. The archive is made anew below target/ each time.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --quiet
work="${CARGO_TARGET_DIR:-target}/example"
rm -rf "$work"
mkdir -p "$work"

gamekeeper() {
    printf '\n$ gamekeeper %s\n' "$*"
    "${CARGO_TARGET_DIR:-target}/release/gamekeeper" --state-dir "$work/archive" "$@"
}

# One game of the examples is broken on purpose: exit code 3 says that some games failed.
gamekeeper import examples/ || [ $? -eq 3 ]
gamekeeper rejected list
gamekeeper players list
gamekeeper export --output "$work/clean.pgn"
printf '\nThe clean games are in %s\n' "$work/clean.pgn"
