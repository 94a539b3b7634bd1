export { cachePurge } from './cache-purge.ts';
export { housekeeping } from './housekeeping.ts';
export { scheduledPublish } from './scheduled-publish.ts';
export { webhookEndpoint } from './webhook-endpoint.ts';
