import { postToChannel } from '../../../adapters/channels/post.ts';
import { newId } from '../../../domain/kernel/ids.ts';
import type { Site } from '../../../domain/kernel/site.ts';
import { readChannelTarget } from '../../../domain/notifications/channel-messages.ts';
import { composePost, languageOf } from '../../../domain/notifications/compose-post.ts';
import type { Ports } from '../../framework/ports.ts';
import { testTurns } from '../../framework/test-turns.ts';

const inTurn = testTurns('channels', 4);

const texts = {
  en: 'This is a test. The channel gets what it is told of.',
  de: 'Dies ist ein Test. Der Kanal erhält, was ihm mitgeteilt wird.',
} as const;

/**
 * Sends a channel a test message, whether it is enabled or not.
 *
 * @throws ServiceError NOT_FOUND; RATE_LIMIT_EXCEEDED and MAINTENANCE as `testTurns` says
 */
export async function testChannel(
  { db, box, http, publicUrl }: Ports,
  site: Pick<Site, 'id'>,
  channelId: string,
): Promise<{ readonly ok: boolean; readonly message: string }> {
  const target = await readChannelTarget(db, site.id, channelId);
  const language = languageOf(target.locale);
  const url = `${publicUrl}/dashboard/${site.id}/settings`;
  const post = { text: texts[language], url, siteName: target.site_name, language };
  const outcome = await inTurn(site.id, () =>
    postToChannel(http, {
      url: box.open(target.secret, channelId),
      siteId: site.id,
      id: newId(),
      body: composePost(target.channel_kind, post),
    }),
  );
  return outcome.sent
    ? { ok: true, message: 'The channel took a message.' }
    : { ok: false, message: outcome.error };
}
