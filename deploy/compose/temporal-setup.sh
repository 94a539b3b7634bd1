#!/bin/sh
# Creates the namespace, which keeps ended workflows for 30 days, and what workflows/names.ts names as search attributes.
# What is there already stays.
set -eu
until temporal operator cluster health; do sleep 2; done
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" > /dev/null 2>&1 \
  || temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 720h
# A new namespace is known to every service within seconds.
until existing=$(temporal operator search-attribute list); do sleep 2; done
for name in SiteId ArticleId EndpointId UploadId KeyId PipelineRunId ApprovalId ProcessState; do
  echo "$existing" | grep -q "^ *$name " \
    || temporal operator search-attribute create --name "$name" --type Keyword
done
