import { BlockList } from 'node:net';
import { signInByLink } from '../../../domain/sign-in/sign-in.ts';
import { changeToken } from './end-visit.ts';
import { languageOf } from './language.ts';
import { answerPage, redirectTo, requestOf } from './page.ts';
import type { Visit } from './page.ts';
import { texts } from './texts.ts';
import { messageView } from './views.ts';

const ROOT = '../../';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Signs in by a link that `npm start` has printed: once, from this machine only.
 *
 * @param link null if it cannot be one
 */
export async function signInOnce(visit: Visit, link: string | null): Promise<void> {
  const { ports, ctx, now } = visit;
  const address = ports.clientAddress(ctx.req);
  const local = loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
  // A browser that loads an address in advance must not use the link up.
  const usable = local && ctx.method === 'GET' && !ctx.get('Sec-Purpose').includes('prefetch');
  const token =
    usable && link !== null
      ? await ports.db.transaction((tx) => signInByLink(tx, link, requestOf(visit), now))
      : null;
  if (token !== null) {
    await changeToken(visit, token);
    return redirectTo(ctx, 'dashboard', ROOT);
  }
  // Opened again in the browser that it has signed in.
  if (visit.session !== null && usable) return redirectTo(ctx, 'dashboard', ROOT);
  const language = languageOf(ctx);
  const { linkEnded: title, signInLinkEndedText: message, back } = texts[language];
  answerPage(ctx, messageView(language, ROOT, { title, message, link: back }), 404);
}
