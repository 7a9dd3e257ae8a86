#!/usr/bin/env bash
# Do other programs read what is exported, without complaint? Imports FILE (else the corpus beside
# the project), exports it and has pgn-extract, Scid and python-chess (a sample) read the export.
#
# Games of variants that these programs do not play are left out. pgn-extract's remarks that a result
# contradicts the last position are about the games, not about the PGN.
#
#   tests/other_programs.sh [FILE]
#
# Needs: apt-get install pgn-extract scid xvfb; pip install chess
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/games

file=${1:-${GAMEKEEPER_SHARED:-../shared}/corpus/games.pgn.zst}
cargo build --release --quiet
program=${CARGO_TARGET_DIR:-target}/release/gamekeeper
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$program" --state-dir "$work/archive" --quiet import "$file" || [ $? -eq 3 ]
"$program" --state-dir "$work/archive" --quiet export --output "$work/all.pgn"

# Games end with a blank line after their moves; a variant is told by its tag.
awk -v RS= -v ORS='\n\n' '
    NR % 2 { tags = $0; next }
    tags !~ /\[Variant "/ || tags ~ /\[Variant "(Standard|normal|From Position)"\]/ { print tags; print $0 }
' "$work/all.pgn" > "$work/chess.pgn"
games=$(grep -c '^\[Event ' "$work/chess.pgn")
printf '%s games of chess\n' "$games"
failed=0

complaints=$(pgn-extract -s -r "$work/chess.pgn" 2>&1 | tr '\r' '\n' |
    grep -aE 'Failed|Unknown|Missing|Illegal|Warning|Error' | grep -avc 'inconsistent with' || true)
printf 'pgn-extract: %s complaints\n' "$complaints"
[ "$complaints" -eq 0 ] || failed=1

cat > "$work/import.tcl" <<'TCL'
sc_base create [lindex $argv 0]
set result [sc_base import [sc_base current] [lindex $argv 1]]
puts "[lindex $result 0] [llength [split [string trim [lindex $result 1]] \n]] [lindex $result 1]"
exit
TCL
scid=$(xvfb-run -a tkscid "$work/import.tcl" "$work/base" "$work/chess.pgn")
printf 'Scid: %s games, complaints: %s\n' "${scid%% *}" "$(printf %s "$scid" | cut -d' ' -f2- | head -c 2000)"
[ "$scid" = "$games 0 " ] || failed=1

python3 - "$work/chess.pgn" <<'PYTHON' || failed=1
import sys, chess.pgn
read = wrong = 0
with open(sys.argv[1], encoding="utf-8") as file:
    offsets = []
    while (at := file.tell(), headers := chess.pgn.read_headers(file))[1] is not None and len(offsets) < 60000:
        offsets.append(at)
    for at in offsets[:: max(1, len(offsets) // 4000)]:
        file.seek(at)
        game = chess.pgn.read_game(file)
        read += 1
        if game.errors:
            wrong += 1
            print(game.headers, game.errors[:1])
print(f"python-chess: {read} games of a sample, {wrong} with errors")
sys.exit(wrong > 0)
PYTHON
exit $failed
