#!/bin/sh
# Runs `make test` N times (3 by default) while four other processes keep the machine busy, and says
# how often it passed. What follows N is handed on to make: tools/under_load.sh 1 ARGS=tests/tables/series
set -u
cd "$(dirname "$0")/.."
times=${1:-3}
[ $# -gt 0 ] && shift

busy=""
for _ in 1 2 3 4; do
    sh -c 'while :; do :; done' &
    busy="$busy $!"
done
# shellcheck disable=SC2086  # one argument for each process
trap 'kill $busy 2>/dev/null' EXIT
trap 'exit 130' INT TERM

passed=0
i=0
while [ "$i" -lt "$times" ]; do
    i=$((i + 1))
    if make test "$@"; then
        passed=$((passed + 1))
        echo "under load: run $i of $times passed"
    else
        echo "under load: run $i of $times FAILED"
    fi
done
echo "under load: $passed of $times passed"
[ "$passed" -eq "$times" ]
