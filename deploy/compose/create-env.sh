#!/bin/sh
# Writes a .env with a new secret wherever .env.example has none:
#   deploy/compose/create-env.sh api.example.com files.example.com https://alerts.example.com/hook > .env
set -eu
umask 077
[ $# -eq 3 ] || { echo "usage: $0 API_HOST FILES_HOST ALERT_WEBHOOK_URL" >&2; exit 2; }
while IFS= read -r line; do
  case $line in
    API_HOST=*) echo "API_HOST=$1" ;;
    FILES_HOST=*) echo "FILES_HOST=$2" ;;
    ALERT_WEBHOOK_URL=*) echo "ALERT_WEBHOOK_URL=$3" ;;
    ENCRYPTION_KEY=) echo "ENCRYPTION_KEY=$(openssl rand -base64 32)" ;;
    *_PASSWORD= | S3_*=) echo "$line$(openssl rand -hex 24)" ;;
    *) printf '%s\n' "$line" ;;
  esac
done < "$(dirname "$0")/../../.env.example"
