import { DefaultPayloadConverter } from '@temporalio/common';
import type { Payload, SerializationContext } from '@temporalio/common';

/** Replaces input that cannot be decoded, such as a signal sent from the command line with a wrong encoding. */
export class Undecodable {
  readonly reason: string;

  constructor(cause: unknown) {
    this.reason = `it cannot be decoded: ${(cause as Error).message.slice(0, 200)}`;
  }
}

/**
 * Passes input that cannot be decoded to the workflow as {@link Undecodable}. An error here would fail every attempt at
 * the workflow task before a handler runs, so one wrong signal would stop the workflow for good. Results of our own
 * activities still fail the task, until a worker runs that can read them.
 */
class LenientPayloadConverter extends DefaultPayloadConverter {
  override fromPayload<T>(payload: Payload, context?: SerializationContext): T {
    try {
      return super.fromPayload(payload, context);
    } catch (error) {
      if (context?.type !== 'workflow') throw error;
      return new Undecodable(error) as T;
    }
  }
}

/** Temporal requires this export name. */
export const payloadConverter = new LenientPayloadConverter();
