#!/usr/bin/env bash
# Runs the fuzz targets, each for SECONDS (20 where none are named), one after the other. What
# breaks a property is kept, and the way to see it again is told.
#
#   fuzz/run.sh [SECONDS] [TARGET…]
#
# Needs a nightly toolchain (`rustup toolchain install nightly --profile minimal`) and cargo-fuzz
# (`cargo install cargo-fuzz --locked`). Without them `cargo test --test it fuzz` still takes the
# corpus, and alterations of it, through the same properties. Exit code 2: the tools are missing; 1: something was found.
set -uo pipefail
cd "$(dirname "$0")"

seconds=20
if [[ ${1:-} =~ ^[0-9]+$ ]]; then
    seconds=$1
    shift
fi
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(cd targets && ls -- *.rs | sed 's/\.rs$//')

if ! cargo +nightly --version >/dev/null 2>&1; then
    echo "fuzz: there is no nightly toolchain, which the fuzzer's instrumentation needs" >&2
    echo "  hint: rustup toolchain install nightly --profile minimal" >&2
    exit 2
fi
if ! command -v cargo-fuzz >/dev/null; then
    echo "fuzz: cargo-fuzz is not installed" >&2
    echo "  hint: cargo install cargo-fuzz --locked" >&2
    exit 2
fi

# One build for all targets. The instrumentation of every comparison costs more than it finds here:
# the dictionary knows the words.
if ! cargo +nightly fuzz build --fuzz-dir . --target-dir target --no-trace-compares; then
    echo "fuzz: the targets do not build" >&2
    exit 1
fi
host=$(rustc +nightly -vV | sed -n 's/^host: //p')
found=()
for target in "${targets[@]}"; do
    program=target/$host/release/$target
    if [ ! -x "$program" ]; then
        echo "fuzz: there is no target $target; there are: $(cd targets && ls | sed 's/\.rs$//' | xargs)" >&2
        exit 2
    fi
    mkdir -p "artifacts/$target" "target/corpus/$target"
    log=target/$target.log
    texts=()
    case $target in split | game | copies) texts=(-dict=pgn.dict -max_len=2048) ;; esac
    # What is new goes to target/corpus; `cargo fuzz cmin` says what of it is worth committing.
    if "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=512 \
        -print_final_stats=1 -artifact_prefix="artifacts/$target/" "${texts[@]}" \
        "target/corpus/$target" "corpus/$target" >"$log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        printf '%-8s nothing found in %s runs\n' "$target" "$runs"
    else
        found+=("$target")
        artifact=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
        printf '%-8s FOUND: %s\n' "$target" \
            "$(grep -aE "panicked at|ERROR: |assertion" "$log" | head -n 1)"
        grep -aA 3 'panicked at' "$log" | tail -n +2 | head -n 3 | cut -c 1-400
        printf '  the bytes: fuzz/%s (%s), all of it: fuzz/%s\n' "$artifact" \
            "$(wc -c <"$artifact") bytes" "$log"
        printf '  again:     cd fuzz && %s %s\n' "$program" "$artifact"
        printf '  for good:  put the bytes into fuzz/corpus/%s, where cargo test finds them\n' "$target"
    fi
done
if [ ${#found[@]} -gt 0 ]; then
    echo "fuzz: found something in: ${found[*]}"
    exit 1
fi
