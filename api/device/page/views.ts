import type { DeviceAuthorization } from '../../../domain/device/authorization.ts';
import type { Decision } from '../../../domain/device/decide.ts';
import { html, visible } from '../../html.ts';
import type { Html } from '../../html.ts';
import { described, formToken, layout, problemBox } from '../../sign-in/layout.ts';
import type { Visitor } from '../../sign-in/layout.ts';
import { scopeNames } from './scope-names.ts';

/** A Site for which the person may create keys. */
export interface SiteChoice {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly organisationName: string;
}

const page = (title: string, main: Html, visitor: Visitor | null): string =>
  layout({
    title,
    main,
    language: 'en',
    header: visitor !== null && visitor.email !== null && signedIn(visitor, visitor.email),
  });

const signedIn = (visitor: Visitor, email: string): Html =>
  html`<form method="post">
    ${formToken(visitor)}<span class="who">${email}</span>
    <button name="do" value="sign-out" class="quiet">Sign out</button>
  </form>`;

export function codeView(
  visitor: Visitor,
  values: { readonly typed?: string; readonly problem?: string } = {},
): string {
  const { typed = '', problem = null } = values;
  const main = html`
    <h1>Sign a device in</h1>
    <p>Enter the code shown on the device.</p>
    ${problemBox(problem)}
    <form method="get" class="fields">
      <label for="user_code">Code</label>
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
      <button>Continue</button>
    </form>
  `;
  return page(problem === null ? 'Sign a device in' : 'Code not accepted', main, visitor);
}

export function confirmView(
  visitor: Visitor,
  values: {
    readonly asked: DeviceAuthorization;
    readonly userCode: string;
    readonly sites: readonly SiteChoice[];
    readonly problem?: string;
  },
): string {
  const { asked, userCode, sites, problem = null } = values;
  const main = html`
    <h1>Give this device a key?</h1>
    ${problemBox(problem)}
    <p>Continue only if the device shows this code:</p>
    <p class="code shown">${userCode}</p>
    <dl>
      <dt>Device</dt>
      <dd><bdi>${visible(asked.client_name)}</bdi></dd>
      <dt>Requested from</dt>
      <dd>${asked.client_address}</dd>
      <dt>Requested at</dt>
      <dd>${timeOf(asked.created_at)}</dd>
      ${
        asked.held_by_agent &&
        html`<dt>Held by</dt>
          <dd>an AI agent</dd>`
      }
    </dl>
    <form method="post">
      ${formToken(visitor)}
      <input type="hidden" name="user_code" value="${userCode}" />
      ${siteChoice(sites, problem)}
      <h2>What the key could do</h2>
      <ul class="scopes">
        ${asked.scopes.map((scope) => html`<li>${scopeNames[scope]} <code>${scope}</code></li>`)}
        ${!asked.held_by_agent && html`<li>Approve or deny requests of AI agents</li>`}
      </ul>
      <p class="hint">
        Approve only a sign-in that you started yourself. The key acts in your name until it is revoked.
      </p>
      <div class="actions">
        <button name="do" value="deny" class="quiet" formnovalidate>Deny</button>
        <button name="do" value="approve">Approve</button>
      </div>
    </form>
  `;
  return page(problem === null ? 'Give this device a key?' : 'Not decided yet', main, visitor);
}

function siteChoice(sites: readonly SiteChoice[], problem: string | null): Html {
  const [only] = sites;
  if (sites.length === 1 && only !== undefined) {
    return html`<input type="hidden" name="site_id" value="${only.id}" />
      <p>
        The key would be for <strong>${only.name}</strong> (${only.domain}) of ${only.organisationName}.
      </p>`;
  }
  return html`<fieldset${described(problem)}>
    <legend>Which Site is the key for?</legend>
    ${sites.map(
      ({ id, name, domain, organisationName }) =>
        html`<label class="choice"
          ><input type="radio" name="site_id" value="${id}" required />
          <span><strong>${name}</strong> <span class="of">${domain}, ${organisationName}</span></span></label
        >`,
    )}
  </fieldset>`;
}

export function outcomeView(
  visitor: Visitor,
  values: { readonly decision: Decision; readonly clientName: string; readonly site: SiteChoice },
): string {
  const device = html`<bdi>${visible(values.clientName)}</bdi>`;
  const main =
    values.decision === 'approved'
      ? html`<h1>Approved</h1>
          <p>
            ${device} receives its key for <strong>${values.site.name}</strong> in a moment. You can close
            this page and return to the device.
          </p>`
      : html`<h1>Denied</h1>
          <p>${device} gets no key. You can close this page.</p>`;
  return page(values.decision === 'approved' ? 'Approved' : 'Denied', main, visitor);
}

/** A page with a message only. */
export function messageView(
  visitor: Visitor | null,
  { title, text, detail }: { readonly title: string; readonly text: string; readonly detail?: string },
): string {
  const main = html`
    <h1>${title}</h1>
    <p role="alert">${text}</p>
    ${detail !== undefined && html`<p class="hint">${detail}</p>`}
    <p><a href="device">Back to entering a code</a></p>
  `;
  return page(title, main, visitor);
}

const timeOf = (time: Date): Html => {
  const shown = time.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return html`<time datetime="${time.toISOString()}">${shown} UTC</time>`;
};
