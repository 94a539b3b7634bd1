import { z } from 'zod';
import { channelKinds } from '../../../domain/notifications/channel.ts';
import { mutable } from '../../../domain/notifications/kinds.ts';
import { id, isoTime, pageOf, text } from '../../../packages/base/fields.ts';

const writable = {
  name: text(200, 1),
  url: z.string().meta({
    format: 'uri',
    maxLength: 2_000,
    description: 'The URL of an incoming webhook, publicly reachable over https. Answers show its host.',
  }),
  kinds: z
    .array(z.enum(mutable, { error: `must be one of ${mutable.join(', ')}` }))
    .max(100)
    .optional()
    .describe(
      'The kinds of notifications that it gets: every kind but `security.*`. All of them by default, without those of later versions.',
    ),
  enabled: z.boolean().optional().describe('Whether anything is sent.'),
};

const kind = z
  .enum(channelKinds)
  .describe(
    '`slack` for incoming webhooks of Slack, Mattermost and Rocket.Chat, `teams` for those of Teams and Power Automate.',
  );

const written = {
  kind: 'slack',
  name: 'Editors',
  url: 'https://hooks.slack.com/services/T00000000/B00000000/example',
  kinds: ['review.requested', 'publication.failed'],
};

export const ChannelWrite = z
  .strictObject({ kind, ...writable })
  .meta({ id: 'ChannelWrite', examples: [written] });

export const ChannelUpdate = z
  .strictObject({ kind, ...writable })
  .partial()
  .meta({ id: 'ChannelUpdate', examples: [{ enabled: false }] });

export const ChannelShape = z
  .strictObject({
    id,
    kind: z.enum(channelKinds),
    name: z.string(),
    url: z.string().describe('The host alone.'),
    kinds: z.array(z.string()),
    enabled: z.boolean(),
    last_error: z.string().nullable().describe('Why the last attempt failed; null after a success.'),
    created_at: isoTime,
    updated_at: isoTime,
  })
  .meta({
    id: 'Channel',
    examples: [
      {
        id: '0197a0c4-eeee-7d30-9b64-2f1f0d3c8a11',
        ...written,
        url: 'hooks.slack.com',
        enabled: true,
        last_error: null,
        created_at: '2026-03-01T09:30:00.000Z',
        updated_at: '2026-03-01T09:30:00.000Z',
      },
    ],
  });
export const ChannelPage = pageOf(ChannelShape).meta({ id: 'ChannelPage' });

export const ChannelTested = z
  .strictObject({ ok: z.boolean(), message: z.string() })
  .meta({ id: 'ChannelTest', examples: [{ ok: true, message: 'The channel took a message.' }] });
