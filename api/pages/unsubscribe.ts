import type { Middleware } from 'koa';
import { kinds, isAboutSecurity } from '../../domain/notifications/kinds.ts';
import { muteKinds } from '../../domain/notifications/settings.ts';
import { readUnsubscribePath, UNSUBSCRIBE } from '../../domain/notifications/unsubscribe.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import { requestIdOf } from '../framework/envelope.ts';
import type { Ports } from '../framework/ports.ts';
import { countClient } from '../framework/rate-limit.ts';
import { html } from '../http/html.ts';
import { languageOf } from './sign-in/language.ts';
import type { Language } from './sign-in/language.ts';
import { layout } from './sign-in/layout.ts';
import { answerPage, errorPageIn, refuseMethod, setPageHeaders } from './sign-in/page.ts';

const ROOT = '../../../../';

const texts = {
  en: {
    title: 'No more of this mail',
    about: 'You no longer want mail about:',
    stop: 'No more mail about this',
    done: 'You get no more mail about this. The list in the dashboard still has it, and its settings bring the mail back.',
    always: 'Mail about security cannot be turned off.',
  },
  de: {
    title: 'Diese Mails abbestellen',
    about: 'Sie möchten keine Mails mehr über:',
    stop: 'Keine Mails mehr darüber',
    done: 'Sie erhalten keine Mails mehr darüber. Die Liste im Dashboard hat es weiterhin, und ihre Einstellungen bringen die Mails zurück.',
    always: 'Mails zur Sicherheit lassen sich nicht abbestellen.',
  },
} as const satisfies Readonly<Record<Language, unknown>>;

/**
 * The page of the link in each mail, which works without signing in: a POST keeps its kinds out of the person's mail, as
 * mail programs send one (RFC 8058); a GET, which scanners of mail send, too, only shows a button.
 */
export function unsubscribePage(ports: Ports): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith(UNSUBSCRIBE) || ctx.method === 'OPTIONS') return next();
    ctx.state.measuredAs = 'unsubscribe page';
    const language = languageOf(ctx);
    setPageHeaders(ctx, errorPageIn(language, ROOT));
    const now = ports.clock.now();
    await countClient(ports, ctx, 'keyless', now);
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD' && ctx.method !== 'POST') refuseMethod();
    const link = readUnsubscribePath(ports.box, ctx.path);
    if (link === null) throw notFound('link');
    const words = texts[language];
    const muted = link.kinds.filter((kind) => Object.hasOwn(kinds, kind) && !isAboutSecurity(kind));
    const isPost = ctx.method === 'POST';
    if (isPost && muted.length > 0) {
      const requestId = requestIdOf(ctx);
      const isThere = await ports.db.transaction((tx) => muteKinds(tx, link.memberId, muted, requestId, now));
      if (!isThere) throw notFound('link');
    }
    const said = muted.length === 0 ? words.always : isPost ? words.done : null;
    const main = html`<h1>${words.title}</h1>
      ${
        said === null
          ? html`<p>${words.about} ${muted.join(', ')}</p>
              <form method="post"><button>${words.stop}</button></form>`
          : html`<p role="status">${said}</p>`
      }`;
    answerPage(ctx, layout({ title: words.title, main, language, root: ROOT }));
  };
}
