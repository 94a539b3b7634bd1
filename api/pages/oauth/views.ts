import type { Client } from '../../../domain/oauth/client.ts';
import { redirectTarget } from '../../../domain/oauth/redirect-uri.ts';
import type { Scope } from '../../../domain/access/scopes.ts';
import { scopeNames } from '../device/page/scope-names.ts';
import { html, visible } from '../../http/html.ts';
import type { Html } from '../../http/html.ts';
import type { Language } from '../sign-in/language.ts';
import { draftsChoice } from '../sign-in/drafts-choice.ts';
import { formToken, layout, problemBox } from '../sign-in/layout.ts';
import type { Visitor } from '../sign-in/layout.ts';
import { siteChoice } from '../sign-in/site-choice.ts';
import type { SiteChoice } from '../sign-in/site-choice.ts';
import { consentTexts } from './texts.ts';
import type { Problem } from './texts.ts';

/** The way from the page to the root. */
export const ROOT = '../';

/** @param values `problem` is the mistake in the submitted decision */
export function consentView(
  visitor: Visitor,
  values: {
    readonly client: Client;
    readonly redirectUri: string;
    readonly scopes: readonly Scope[];
    readonly sites: readonly SiteChoice[];
    readonly draftsOnly: boolean;
    readonly problem: string | null;
  },
): string {
  const { client, redirectUri, scopes, sites, draftsOnly, problem } = values;
  const { language, email } = visitor;
  const text = consentTexts[language];
  const main = html`
    <h1>${text.title}</h1>
    ${problemBox(problem)}
    <p class="code shown">${new URL(client.id).host}</p>
    <dl>
      <dt>${text.program}</dt>
      <dd>${client.id}</dd>
      <dt>${text.callsItself}</dt>
      <dd><bdi>${visible(client.name)}</bdi></dd>
      <dt>${text.answerTo}</dt>
      <dd>${redirectTarget(redirectUri)}</dd>
    </dl>
    <p class="hint">${text.unproven}</p>
    <form method="post">
      ${formToken(visitor)} ${siteChoice(text, sites, problem)}
      <h2>${text.couldDo}</h2>
      <ul class="scopes">
        ${scopes.map((scope) => html`<li>${scopeNames[language][scope]} <code>${scope}</code></li>`)}
      </ul>
      ${draftsChoice(language, draftsOnly)}
      <p>${text.approvals}</p>
      <p class="hint">${text.own}</p>
      <div class="actions">
        <button name="do" value="deny" class="quiet" formnovalidate>${text.deny}</button>
        <button name="do" value="approve">${text.approve}</button>
      </div>
    </form>
  `;
  const title = problem === null ? text.title : text.notDecided;
  return layout({ title, main, language, root: ROOT, header: email !== null && signedIn(visitor, email) });
}

const signedIn = (visitor: Visitor, email: string): Html =>
  html`<form method="post">
    ${formToken(visitor)}<span class="who">${email}</span>
    <button name="do" value="sign-out" class="quiet">${consentTexts[visitor.language].signOut}</button>
  </form>`;

/** A page that says why the client can neither be shown nor answered. @param detail in technical terms */
export function problemView(language: Language, problem: Problem, detail: string | null): string {
  const text = consentTexts[language];
  return failure(
    language,
    text.problems[problem],
    detail === null ? null : html`<code>${visible(detail)}</code>`,
  );
}

/** A page about an error. */
export const errorView = (
  language: Language,
  { code, message }: { readonly code: string; readonly message: string },
  requestId: string,
): string => {
  const text = consentTexts[language];
  return failure(language, text.errors[code] ?? message, html`${text.request} ${requestId}`);
};

function failure(language: Language, message: string, hint: Html | null): string {
  const text = consentTexts[language];
  const main = html`
    <h1>${text.failed}</h1>
    <p role="alert">${message}</p>
    ${hint && html`<p class="hint">${hint}</p>`}
    <p>${text.goBack}</p>
  `;
  return layout({ title: text.failed, main, language, root: ROOT });
}
