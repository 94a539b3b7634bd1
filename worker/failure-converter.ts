import { DefaultFailureConverter } from '@temporalio/common';

/**
 * Moves messages and stack traces of failures into a payload, so that they are encrypted as well. Temporal requires this
 * export name.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
