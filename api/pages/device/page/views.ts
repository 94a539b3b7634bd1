import type { DeviceAuthorization } from '../../../../domain/device/authorization.ts';
import type { Decision } from '../../../../domain/device/decide.ts';
import { html, visible } from '../../../http/html.ts';
import type { Html } from '../../../http/html.ts';
import type { Language } from '../../sign-in/language.ts';
import { draftsChoice, draftsNote } from '../../sign-in/drafts-choice.ts';
import { described, formToken, layout, problemBox } from '../../sign-in/layout.ts';
import type { Visitor } from '../../sign-in/layout.ts';
import { siteChoice } from '../../sign-in/site-choice.ts';
import type { SiteChoice } from '../../sign-in/site-choice.ts';
import { scopeNames } from './scope-names.ts';
import { deviceTexts } from './texts.ts';

const page = (title: string, main: Html, visitor: Visitor): string =>
  layout({
    title,
    main,
    language: visitor.language,
    header: visitor.email !== null && signedIn(visitor, visitor.email),
  });

const signedIn = (visitor: Visitor, email: string): Html =>
  html`<form method="post">
    ${formToken(visitor)}<span class="who">${email}</span>
    <button name="do" value="sign-out" class="quiet">${deviceTexts[visitor.language].signOut}</button>
  </form>`;

export function codeView(
  visitor: Visitor,
  values: { readonly typed?: string; readonly problem?: string } = {},
): string {
  const { typed = '', problem = null } = values;
  const text = deviceTexts[visitor.language];
  const main = html`
    <h1>${text.title}</h1>
    <p>${text.enter}</p>
    ${problemBox(problem)}
    <form method="get" class="fields">
      <label for="user_code">${text.code}</label>
      <input
        id="user_code"
        name="user_code"
        class="code"
        required
        maxlength="40"
        placeholder="XXXX-XXXX"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck="false"
        value="${typed}"
        autofocus${described(problem)}
      />
      <button>${text.continue}</button>
    </form>
  `;
  return page(problem === null ? text.title : text.codeNotAccepted, main, visitor);
}

export function confirmView(
  visitor: Visitor,
  values: {
    readonly asked: DeviceAuthorization;
    readonly userCode: string;
    readonly sites: readonly SiteChoice[];
    /** Whether an agent's key would be for drafts only. */
    readonly draftsOnly: boolean;
    readonly problem?: string;
  },
): string {
  const { asked, userCode, sites, draftsOnly, problem = null } = values;
  const text = deviceTexts[visitor.language];
  const main = html`
    <h1>${text.give}</h1>
    ${problemBox(problem)}
    <p>${text.compare}</p>
    <p class="code shown">${userCode}</p>
    <dl>
      <dt>${text.device}</dt>
      <dd><bdi>${visible(asked.client_name)}</bdi></dd>
      <dt>${text.from}</dt>
      <dd>${asked.client_address}</dd>
      <dt>${text.at}</dt>
      <dd>${timeOf(asked.created_at, visitor.language)}</dd>
      ${
        asked.held_by_agent &&
        html`<dt>${text.heldBy}</dt>
          <dd>${text.agent}</dd>`
      }
    </dl>
    <form method="post">
      ${formToken(visitor)}
      <input type="hidden" name="user_code" value="${userCode}" />
      ${siteChoice(text, sites, problem)}
      <h2>${text.couldDo}</h2>
      <ul class="scopes">
        ${asked.scopes.map((scope) => html`<li>${scopeNames[visitor.language][scope]} <code>${scope}</code></li>`)}
        ${!asked.held_by_agent && html`<li>${text.decides}</li>`}
      </ul>
      ${asked.drafts_only ? draftsNote(visitor.language) : asked.held_by_agent && draftsChoice(visitor.language, draftsOnly)}
      <p class="hint">${text.own}</p>
      <div class="actions">
        <button name="do" value="deny" class="quiet" formnovalidate>${text.deny}</button>
        <button name="do" value="approve">${text.approve}</button>
      </div>
    </form>
  `;
  return page(problem === null ? text.give : text.notDecided, main, visitor);
}

export function outcomeView(
  visitor: Visitor,
  values: { readonly decision: Decision; readonly clientName: string; readonly site: SiteChoice },
): string {
  const text = deviceTexts[visitor.language];
  const device = isolated(visible(values.clientName));
  const approved = values.decision === 'approved';
  const title = approved ? text.approved : text.denied;
  const main = html`<h1>${title}</h1>
    <p>${approved ? text.approvedText(device, isolated(values.site.name)) : text.deniedText(device)}</p>`;
  return page(title, main, visitor);
}

/** A name within a sentence, in its own direction of writing. */
const isolated = (name: string): string => `\u2068${name}\u2069`;

/** A page about an error. */
export function errorView(
  language: Language,
  {
    code,
    message,
    requestId,
  }: { readonly code: string; readonly message: string; readonly requestId: string },
): string {
  const text = deviceTexts[language];
  const main = html`
    <h1>${text.failed}</h1>
    <p role="alert">${text.errors[code] ?? message}</p>
    <p class="hint">${text.request} ${requestId}</p>
    <p><a href="device">${text.back}</a></p>
  `;
  return layout({ title: text.failed, main, language });
}

const timeOf = (time: Date, language: Language): Html => {
  const locale = language === 'de' ? 'de-DE' : 'en-GB';
  const shown = time.toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return html`<time datetime="${time.toISOString()}">${shown} UTC</time>`;
};
