#!/bin/bash
# Keeps in /backups what a restore to any moment of the last days needs:
#   base/TIME/   a base backup each day
#   wal/         the log, as it is written
#   objects/     the objects of the store, also those that were deleted since
#   metrics/     when the last base backup was made, for Prometheus
#
#   backup.sh                       makes them, until it is ended
#   backup.sh check                 fails unless the last base backup is young and the log is being received
#   backup.sh restore TIME [UNTIL]  puts a base backup and the log in the place of $PGDATA, for a server that is stopped; the server
#                                   starts with the last moment that was received, or with UNTIL ('2026-11-23 09:30:00+00')
# The backups of before a restore, or of before the log was interrupted, are in before-TIME/ for as long as others: BACKUPS names them.
set -euo pipefail

backups=${BACKUPS:-/backups}
storage=${STORAGE:-/storage}
keep_days=${KEEP_DAYS:-7}
receiver_file=/tmp/backup-receiver

# Base backups younger than so many minutes.
younger_than() { find "$backups/base" -maxdepth 1 -name '*Z' -mmin "-$1"; }

check() {
  [ -n "$(younger_than 1560)" ] && kill -0 "$(cat "$receiver_file")"
}

# Puts what is there aside, because the log that follows does not continue it.
set_aside() {
  local aside
  aside="$backups/before-$(date -u +%Y%m%dT%H%M%SZ)"
  mkdir -p "$aside"
  mv "$backups/base" "$backups/wal" "$aside/"
  mkdir -p "$backups/base" "$backups/wal"
  echo "$aside"
}

# The node exporter reads the file at each scrape.
write_metrics() {
  local last
  last=$(find "$backups/base" -maxdepth 1 -name '*Z' | sort | tail -n 1)
  [ -n "$last" ] || return 0
  {
    echo '# HELP presswork_backup_last_success_timestamp_seconds When the last base backup that was finished began.'
    echo '# TYPE presswork_backup_last_success_timestamp_seconds gauge'
    echo "presswork_backup_last_success_timestamp_seconds $(stat --format %Y "$last")"
  } > "$backups/metrics/backup.tmp"
  chmod 644 "$backups/metrics/backup.tmp"
  mv "$backups/metrics/backup.tmp" "$backups/metrics/backup.prom"
}

make_base() {
  local base oldest
  base="$backups/base/$(date -u +%Y%m%dT%H%M%SZ)"
  # An unfinished one is of no use.
  rm -rf "$backups"/base/*.unfinished
  # From the moment of this file on, the log is needed.
  touch "$backups/started"
  pg_basebackup --pgdata "$base.unfinished" --format tar --gzip --wal-method none --checkpoint fast --no-password
  # After the database, so that every object that a row names is there.
  cp --archive --update "$storage/." "$backups/objects/"
  touch --reference "$backups/started" "$base.unfinished"
  mv "$base.unfinished" "$base"
  write_metrics
  find "$backups/base" -maxdepth 1 -name '*Z' -mtime "+$keep_days" -exec rm -r {} +
  find "$backups" -maxdepth 1 -name 'before-*' -mtime "+$keep_days" -exec rm -r {} +
  oldest=$(find "$backups/base" -maxdepth 1 -name '*Z' | sort | head -n 1)
  find "$backups/wal" -type f ! -newer "$oldest" -delete
  echo "base backup $(basename "$base") is done; the oldest is $(basename "$oldest")"
}

run() {
  mkdir -p "$backups/base" "$backups/wal" "$backups/objects" "$backups/metrics"
  # The slot has the server keep the log until it is received. Without one, parts of the log may be gone.
  local said
  if said=$(pg_receivewal --slot backup --create-slot --no-password 2>&1); then
    [ -z "$(find "$backups/base" "$backups/wal" -type f)" ] || set_aside
  elif [[ $said != *'already exists'* ]]; then
    echo "$said" >&2
    exit 1
  fi
  write_metrics
  pg_receivewal --slot backup --directory "$backups/wal" --no-password &
  local receiver=$!
  echo "$receiver" > "$receiver_file"
  # shellcheck disable=SC2064
  trap "kill $receiver" EXIT
  trap exit TERM INT
  while kill -0 "$receiver"; do
    # Not again right after a restart.
    [ -n "$(younger_than 1430)" ] || make_base
    sleep 10 &
    wait $!
  done
  echo 'pg_receivewal has ended' >&2
  exit 1
}

restore() {
  local base=$1 until=${2:-} now aside log
  [ -f "$backups/base/$base/base.tar.gz" ] || { echo "there is no $backups/base/$base" >&2; exit 1; }
  now=$(date -u +%Y%m%dT%H%M%SZ)
  # The data that was there is kept. Backups start again, because the log of a restored server branches off.
  [ ! -e "$PGDATA" ] || mv "$PGDATA" "$PGDATA.before-$now"
  aside=$(set_aside)
  install --directory --mode 700 "$PGDATA"
  tar --extract --gzip --file "$aside/base/$base/base.tar.gz" --directory "$PGDATA"
  # Beside the data, where the server reads it when it starts.
  log=$(dirname "$PGDATA")/restore
  rm -rf "$log"
  cp --archive "$aside/wal" "$log"
  # The segment that was being received.
  find "$log" -name '*.partial' -exec sh -c 'mv "$1" "${1%.partial}"' - {} \;
  {
    echo "restore_command = 'cp \"$log/%f\" \"%p\"'"
    echo "recovery_target_action = 'promote'"
    [ -z "$until" ] || echo "recovery_target_time = '$until'"
  } >> "$PGDATA/postgresql.auto.conf"
  touch "$PGDATA/recovery.signal"
  [ "$(id -u)" != 0 ] || chown -R postgres "$PGDATA" "$log"
  echo "$base is in $PGDATA; start the server"
}

case ${1:-run} in
  run) run ;;
  check) check ;;
  restore) restore "${@:2}" ;;
  *) sed -n '2,14p' "$0" >&2; exit 2 ;;
esac
