import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { ChannelActivities, ChannelInput } from '../activities/channel.ts';
import { CHANNELS_TASK_QUEUE } from './names.ts';
import { sendingOptions, untilAllIsSent } from './until-all-is-sent.ts';

const { sendToChannel } = proxyActivities<ChannelActivities>({
  taskQueue: CHANNELS_TASK_QUEUE,
  ...sendingOptions,
});

/** Sends a channel of Slack or Teams what its Site was told. */
export const channel = (input: ChannelInput): Promise<void> =>
  untilAllIsSent(
    () => sendToChannel(input),
    () => continueAsNew<typeof channel>(input),
  );
