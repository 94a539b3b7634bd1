#!/bin/sh
# Starts the API or the worker with the memory and thread settings used for every figure in docs/. npm start, the image,
# the compose file and the manifests all use this script.
#
#   run.sh api|worker [options of Node ...]
#   run.sh api|worker --load-only             fills NODE_COMPILE_CACHE and exits
set -eu

program=${1:?say which program: api or worker}
shift
case $program in
  api) heap=256 ;;
  # Files, compression and look-ups of our own servers' names share these threads.
  worker) heap=384 UV_THREADPOOL_SIZE=${UV_THREADPOOL_SIZE:-32} && export UV_THREADPOOL_SIZE ;;
  *) echo "run.sh starts api or worker, not $program" >&2 && exit 2 ;;
esac

# Makes glibc return large blocks; by default it keeps the 200 MB or so that decoded images took. Other C libraries
# ignore it.
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-131072}"
export MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-131072}"

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# A clone has Node in its packages; the image has it on the PATH.
node=$root/node_modules/.bin/node
[ -x "$node" ] || node=node

arguments=
if [ "${1:-}" = --load-only ]; then
  arguments=--load-only
  shift
fi

# Requests leave little garbage, so the young generation stays small: V8's default costs 100 MB. It must not shrink
# either: below 4 MB, requests outlive it. It is too small to be worth parallel scavenging. The last two options stop V8
# from placing short-lived objects among old ones (runtime/README.md).
exec "$node" \
  --max-old-space-size=$heap \
  --min-semi-space-size=8 \
  --max-semi-space-size=8 \
  --no-parallel-scavenge \
  --no-allocation-site-pretenuring \
  --no-maglev \
  "$@" \
  "$root/$program/main.ts" $arguments
