#!/usr/bin/env bash
# Import and removal of duplicates, side by side in one run: gamekeeper, the bare probe (the limit),
# pgn-extract and Scid, on FILE followed by its copy with the names turned round ("Last, First" as
# "First Last"), so that every game is there twice at least. Without FILE, on made-up games in which
# a fifth are copies. Then what else gamekeeper is to be quick at.
#
#   benches/compare.sh [--million] [FILE]
#
# FILE may be a .pgn or a .pgn.zst. --million adds an archive of a million made-up games. Each figure is the
# median of ROUNDS (3) rounds, which take turns. Needs: apt-get install pgn-extract scid xvfb time
# (what is missing is left out, and said), and zstd for a .zst. Files are in the page cache.
#
# The columns on duplicates are judged by benches/judge.rs, which shares no code with gamekeeper:
# `removed`, how many games a program left out; `wrong`, how many of them are lost, since no copy of
# theirs was kept; `missed`, copies that were kept; `foreign`, games kept that were not given
# (altered on the way).
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/games
export LC_ALL=C

rounds=${ROUNDS:-3}
million=0
file=
for arg in "$@"; do
    case $arg in
    --million) million=1 ;;
    -*) echo "usage: benches/compare.sh [--million] [FILE]" >&2 && exit 2 ;;
    *) file=$arg ;;
    esac
done
for tool in time xvfb-run; do
    [ -n "$(type -P $tool)" ] || { echo "compare: $tool is missing (apt-get install time xvfb)" >&2 && exit 1; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cargo build --release --locked --quiet
gamekeeper=${CARGO_TARGET_DIR:-target}/release/gamekeeper
# bench NAME: the program of a bench.
bench() {
    cargo bench --locked --no-run --bench "$1" 2>&1 | sed -n 's/.*Executable .*(\(.*\))$/\1/p'
}
probe=$(bench probe)
judge=$(bench judge)
corpus=$(bench corpus)

games=$work/games.pgn
if [ -n "$file" ]; then
    one=$file
    case $file in *.zst) one=$work/one.pgn && zstd -dcq "$file" >"$one" ;; esac
    {
        cat "$one"
        echo
        sed -E 's/^\[(White|Black) "([^",]+), *([^" ][^"]*)"\]/[\1 "\3 \2"]/' "$one"
    } >"$games"
    rm -f "$work/one.pgn"
else
    "$corpus" 100000 1 >"$games"
fi
printf '%s MB, %s cores\n' "$(($(stat -c %s "$games") / 1000000))" "$(nproc)"
cat "$games" >/dev/null

# measured NAME COMMAND…: runs it and notes seconds and KiB; its output goes to $work/out.
measured() {
    local name=$1 status=0
    shift
    /usr/bin/time -q -f '%e %M' -o "$work/time" "$@" >"$work/out" 2>"$work/err" || status=$?
    # 3: some games were kept aside.
    if [ $status -ne 0 ] && [ $status -ne 3 ]; then
        echo "compare: $name ended with $status: $(tail -n 3 "$work/err")" >&2
        exit 1
    fi
    tail -n 1 "$work/time" >>"$work/$name.times"
}
# median NAME COLUMN
median() {
    cut -d' ' -f"$2" "$work/$1.times" | sort -n | sed -n "$(((rounds + 1) / 2))p"
}
disk() { du -sb "$1" 2>/dev/null | cut -f1; }
archive() { "$gamekeeper" --config "$work/config.toml" --state-dir "$@"; }
: >"$work/config.toml"

run_probe() { measured probe "$probe" "$games"; }
run_gamekeeper() {
    rm -rf "$work/archive"
    measured gamekeeper "$gamekeeper" --config "$work/config.toml" --state-dir "$work/archive" \
        --quiet import "$games"
    disk "$work/archive" >"$work/gamekeeper.disk"
}
run_pgn-extract() {
    measured pgn-extract pgn-extract -s -D -o"$work/pgn-extract.kept" "$games"
    disk "$work/pgn-extract.kept" >"$work/pgn-extract.disk"
}
run_scid() {
    rm -rf "$work/scid" && mkdir "$work/scid"
    # The X server is started before the clock.
    xvfb-run -a bash -c 'bash "$0" "$@"' "$work/scid.sh"
    disk "$work/scid" >"$work/scid.disk"
}
cat >"$work/scid.sh" <<SCID
/usr/bin/time -q -f '%e %M' -o "$work/time" \
    tkscid benches/scid.tcl import "$work/scid/base" "$games" >"$work/out" 2>"$work/err" || exit 1
tail -n 1 "$work/time" >>"$work/scid.times"
SCID

programs=(probe gamekeeper)
for program in pgn-extract tkscid; do
    if command -v "$program" >/dev/null; then
        programs+=("${program#tk}")
    else
        echo "left out: $program is not installed"
    fi
done
for _ in $(seq "$rounds"); do
    for program in "${programs[@]}"; do "run_$program"; done
done

# What each has kept, against what it was given.
archive "$work/archive" --quiet export --output "$work/gamekeeper.kept" >/dev/null
if [ -e "$work/scid" ]; then
    xvfb-run -a tkscid benches/scid.tcl export "$work/scid/base" "$work/scid.kept" >/dev/null
fi
mapfile -t kept < <(for program in "${programs[@]:1}"; do echo "$work/$program.kept"; done)
"$judge" "$games" "${kept[@]}" >"$work/judged"
read -r _ given _ distinct <"$work/judged"
printf '%s legal games, %s different ones\n\n' "$given" "$distinct"

printf '%-12s %8s %9s %7s %8s %8s %9s %7s %8s %8s\n' program seconds games/s 'x probe' 'peak MB' \
    'disk MB' removed wrong missed foreign
limit=$(median probe 1)
line=1
for program in "${programs[@]}"; do
    seconds=$(median "$program" 1)
    removed=- wrong=- missed=- foreign=-
    if [ "$program" != probe ]; then
        line=$((line + 1))
        read -r _ left _ wrong _ missed _ foreign < <(sed -n "${line}p" "$work/judged")
        removed=$((given - left + foreign))
    fi
    awk -v p="$program" -v s="$seconds" -v n="$given" -v l="$limit" -v m="$(median "$program" 2)" \
        -v d="$(cat "$work/$program.disk" 2>/dev/null || echo 0)" \
        -v r="$removed" -v w="$wrong" -v i="$missed" -v f="$foreign" 'BEGIN {
        printf "%-12s %8.2f %9.0f %7.2f %8.0f %8.1f %9s %7s %8s %8s\n",
            p, s, n / s, s / l, m / 1024, d / 1e6, r, w, i, f }'
done

printf '\n%-44s %10s %10s\n' gamekeeper seconds 'peak MB'
# row NAME WHAT
row() {
    awk -v w="$2" -v s="$(median "$1" 1)" -v m="$(median "$1" 2)" \
        'BEGIN { printf "%-44s %10.3f %10.0f\n", w, s, m / 1024 }'
}
for _ in $(seq "$rounds"); do
    measured again "$gamekeeper" --config "$work/config.toml" --state-dir "$work/archive" --quiet import "$games"
    measured status "$gamekeeper" --config "$work/config.toml" --state-dir "$work/archive" status
    rm -f "$work/all.pgn"
    measured export "$gamekeeper" --config "$work/config.toml" --state-dir "$work/archive" --quiet \
        export --output "$work/all.pgn"
done
row again 'the same file again'
row status 'start (status)'
size=$(stat -c %s "$work/all.pgn")
row export "export all ($(awk -v b="$size" -v s="$(median export 1)" 'BEGIN { printf "%.0f", b / s / 1e6 }') MB/s)"

if [ $million -eq 1 ]; then
    rm -rf "$work/archive" "$work"/*.kept
    "$corpus" 1300000 2 >"$games" 2>/dev/null
    measured first "$gamekeeper" --config "$work/config.toml" --state-dir "$work/million" --quiet import "$games"
    cp "$work/first.times" "$work/one" && for _ in $(seq 2 "$rounds"); do cat "$work/one" >>"$work/first.times"; done
    total=$(archive "$work/million" --json status | sed -E 's/.*"games":([0-9]+).*/\1/')
    for round in $(seq "$rounds"); do
        "$corpus" 1000 "$((100 + round))" >"$work/new.pgn" 2>/dev/null
        rm -rf "$work/empty"
        archive "$work/empty" --quiet status >/dev/null
        measured start "$gamekeeper" --config "$work/config.toml" --state-dir "$work/million" status
        measured empty "$gamekeeper" --config "$work/config.toml" --state-dir "$work/empty" --quiet import "$work/new.pgn"
        measured full "$gamekeeper" --config "$work/config.toml" --state-dir "$work/million" --quiet import "$work/new.pgn"
    done
    printf '\nan archive of %s games\n' "$total"
    row first 'import (one round)'
    row start 'start (status)'
    row full '1,000 games into it, start and end included'
    row empty '1,000 games into an empty archive, likewise'
fi
