import { findLink, useLink } from '../../../domain/sign-in/links.ts';
import { hashInTurn, setPassword } from '../../../domain/sign-in/passwords.ts';
import { clientGone } from '../../http/client-gone.ts';
import { requestIdOf } from '../../framework/envelope.ts';
import { readForm } from './browser.ts';
import { languageOf } from './language.ts';
import { answerPage, visitorOf } from './page.ts';
import type { Visit } from './page.ts';
import { texts } from './texts.ts';
import { messageView, newPasswordView } from './views.ts';

const ROOT = '../';

/** Lets a person set a password, by a link that an administrator has made. @param link null if it cannot be one */
export async function resetPassword(visit: Visit, link: string | null): Promise<void> {
  const { ports, ctx, now, token } = visit;
  const form = ctx.method === 'POST' ? await readForm(ports, ctx, token) : null;
  const member = link === null ? null : await findLink(ports.db, link, 'password', now);
  if (link === null || member === null) return sayEnded(visit);
  const language = languageOf(ctx);
  const show = (problem: string | null, status: number): void =>
    answerPage(ctx, newPasswordView(visitorOf(visit), ROOT, { email: member.email, problem }), status);
  if (form === null) return show(null, 200);
  const password = form.get('new_password') ?? '';
  if (password !== form.get('repeated')) return show(texts[language].different, 422);
  const made = await hashInTurn(password, ports.clientAddress(ctx.req), clientGone(ctx));
  if ('fault' in made) return show(texts[language][made.fault], 422);
  const done = await ports.db.transaction(async (tx) => {
    const used = await useLink(tx, link, 'password', now);
    if (used === null) return false;
    const actor = { kind: 'person', id: used.id, name: used.email, requestId: requestIdOf(ctx) } as const;
    await setPassword({ tx, actor, now }, used.id, made.hash);
    return true;
  });
  if (!done) return sayEnded(visit);
  const { passwordSet: title, passwordSetText: message, signIn } = texts[language];
  answerPage(ctx, messageView(language, ROOT, { title, message, link: signIn }));
}

function sayEnded({ ctx }: Visit): void {
  const language = languageOf(ctx);
  const { linkEnded: title, resetLinkEndedText: message, back } = texts[language];
  answerPage(ctx, messageView(language, ROOT, { title, message, link: back }), 404);
}
