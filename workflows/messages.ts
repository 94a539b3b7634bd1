import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { MessagesActivities } from '../activities/messages.ts';
import { MESSAGES_TASK_QUEUE } from './names.ts';
import { sendingOptions, untilAllIsSent } from './until-all-is-sent.ts';

const { sendMessages } = proxyActivities<MessagesActivities>({
  taskQueue: MESSAGES_TASK_QUEUE,
  ...sendingOptions,
});

/** Sends a person what they were told, by mail: what is due at once, and what waits for a digest at its time. */
export const messages = (input: { readonly memberId: string }): Promise<void> =>
  untilAllIsSent(
    () => sendMessages(input.memberId),
    () => continueAsNew<typeof messages>(input),
  );
