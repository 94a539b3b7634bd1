#!/bin/sh
# Registers what temporal/names.ts names; what is there already stays.
set -eu
for name in SiteId ArticleId EndpointId UploadId KeyId PipelineRunId ApprovalId ProcessState; do
  temporal operator search-attribute list | grep -q "^ *$name " \
    || temporal operator search-attribute create --name "$name" --type Keyword
done
