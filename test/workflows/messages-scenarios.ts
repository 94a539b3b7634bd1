import { ApplicationFailure } from '@temporalio/common';
import { answers, soon } from './answers.ts';
import type { Scenario } from './scenario.ts';

/** Mail, and messages to channels. */
export const messagesScenarios: Readonly<Record<string, Scenario>> = {
  'messages.waited-for-its-time-then-sent-at-the-second-try': {
    workflow: 'messages',
    input: { memberId: '01990000-0000-7000-8000-0000000000aa' },
    activities: {
      sendMessages: answers<string | null>(
        soon(),
        () => {
          throw ApplicationFailure.create({ message: 'The database does not answer' });
        },
        () => null,
      ),
    },
    async during(workflow) {
      await workflow.signal('told');
    },
  },
  'channel.waited-for-its-next-attempt-then-sent': {
    workflow: 'channel',
    input: {
      channelId: '01990000-0000-7000-8000-0000000000ab',
      siteId: '01990000-0000-7000-8000-0000000000ac',
    },
    activities: { sendToChannel: answers<string | null>(soon(), () => null) },
    async during(workflow) {
      await workflow.signal('told');
    },
  },
};
