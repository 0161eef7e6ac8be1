#!/bin/sh
# keep-launcher.sh NODE FLAG FILE BOOTSTRAP SOURCES [ARGUMENT]…: runs the launcher (NODE FLAG FILE ARGUMENT…), forwards signals to it,
# and becomes the bootstrap again (NODE BOOTSTRAP SOURCES ARGUMENT…) when the launcher has built or was killed.
# server/bootstrap.mjs becomes this shell, because a Node that only waits takes 25 MB and more, and this takes 1.
node=$1 flag=$2 file=$3 bootstrap=$4 sources=$5
shift 5
built=75 # BUILT_EXIT_CODE in sources.mjs
launcher='' asked=''

forward() {
  asked=$1
  [ -z "$launcher" ] || kill -s "$asked" "$launcher" 2>/dev/null
}
# What a shell runs in the background ignores INT until it listens to it.
trap 'forward TERM' INT TERM
trap 'forward HUP' HUP

started=$(date +%s)
# shellcheck disable=SC2086 # there may be no flag
"$node" $flag "$file" "$@" <&0 &
launcher=$!
[ -z "$asked" ] || kill -s "$asked" "$launcher" 2>/dev/null
# A signal interrupts wait, while the launcher takes its time to stop.
while :; do
  wait "$launcher" 2>/dev/null
  status=$?
  kill -0 "$launcher" 2>/dev/null || break
done
launcher=''

[ -z "$asked" ] || exit "$status"
case $status in
  "$built") ;;
  129 | 130 | 143) exit "$status" ;; # HUP, INT, TERM: it was asked to end
  *) [ "$status" -gt 128 ] || exit "$status" ;;
esac
exec "$node" "$bootstrap" "$sources" "$@" "--ended=$status,$(($(date +%s) - started))"
