export { cachePurge } from './cache-purge.ts';
export { housekeeping } from './housekeeping.ts';
export { objectRemoval } from './object-removal.ts';
export { pipelineRun } from './pipeline-run.ts';
export { scheduledPublish } from './scheduled-publish.ts';
export { spamSweep } from './spam-sweep.ts';
export { uploadReservation } from './upload-reservation.ts';
export { webhookEndpoint } from './webhook-endpoint.ts';
