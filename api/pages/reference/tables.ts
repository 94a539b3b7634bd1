import { errorStatus } from '../../../domain/kernel/errors.ts';
import type { ErrorCode } from '../../../domain/kernel/errors.ts';
import { rateLimits } from '../../../domain/access/rate-limits.ts';
import type { RateClass } from '../../../domain/access/rate-limits.ts';
import { isPublishableScope, scopePermissions, scopes } from '../../../domain/access/scopes.ts';
import { html } from '../../http/html.ts';
import type { Html } from '../../http/html.ts';
import { groupAddress } from './addresses.ts';
import type { Described } from './described.ts';
import { errorMeanings } from './error-meanings.ts';
import { inlineMarkdown } from './markdown.ts';

/** A table; its columns become lines on a narrow screen. */
const table = (caption: string, head: readonly string[], rows: readonly Html[]): Html =>
  html`<div class="table" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <thead>
        <tr>
          ${head.map((title) => html`<th scope="col">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;

const classes: Readonly<Record<Exclude<RateClass, 'keyless' | 'public'>, string>> = {
  read: 'every GET',
  write: 'POST, PATCH and DELETE',
  upload: 'reserving an upload',
  pipeline: 'starting runs, and requeueing articles',
  auth: 'starting and polling a device sign-in',
};

const unitOf = (rateClass: string): string => (rateClass === 'auth' ? 'client address' : 'key');

/** A rate limit in words. */
export const rateText = (rateClass: string): string =>
  `${rateLimits[rateClass as RateClass]} a minute per ${unitOf(rateClass)}`;

const rates = (): Html =>
  table(
    'Rate limits',
    ['Class', 'Requests a minute', 'Applies to'],
    Object.entries(classes).map(
      ([name, what]) =>
        html`<tr>
          <td><code>${name}</code></td>
          <td>${rateLimits[name as RateClass]} per ${unitOf(name)}</td>
          <td>${what}</td>
        </tr>`,
    ),
  );

const errors = (): Html =>
  table(
    'Error codes',
    ['Status', 'Code', 'Meaning'],
    (Object.keys(errorStatus) as ErrorCode[]).map(
      (code) =>
        html`<tr id="${code}">
          <td>${errorStatus[code]}</td>
          <td><code>${code}</code></td>
          <td>${errorMeanings[code]}</td>
        </tr>`,
    ),
  );

const scopeTable = (): Html =>
  table(
    'Scopes',
    ['Scope', 'Permission of the person', 'Publishable keys'],
    scopes.map(
      (scope) =>
        html`<tr>
          <td><code>${scope}</code></td>
          <td>
            ${scopePermissions[scope] === null ? 'none' : html`<code>${scopePermissions[scope]}</code>`}
          </td>
          <td>${isPublishableScope(scope) ? 'yes' : 'no'}</td>
        </tr>`,
    ),
  );

const events = ({ events: all }: Described): Html =>
  table(
    'Events',
    ['Event', 'When'],
    all.map(
      ({ name, summary }) =>
        html`<tr>
          <td>
            <a href="${groupAddress('Webhooks', name)}"><code>${name}</code></a>
          </td>
          <td>${summary}.</td>
        </tr>`,
    ),
  );

const deliveryHeaders = ({ events: [event] }: Described): Html =>
  table(
    'Headers of a delivery',
    ['Header', 'Meaning'],
    (event?.headers ?? []).map(
      ({ name, description = '' }) =>
        html`<tr>
          <td><code>${name}</code></td>
          <td>${inlineMarkdown(description)}</td>
        </tr>`,
    ),
  );

/** The operations for which an agent needs a person. */
const gated = ({ operations }: Described): Html =>
  html`<ul>
    ${operations
      .filter((operation) => operation.gated)
      .map(({ id, group, summary }) => html`<li><a href="${groupAddress(group, id)}">${summary}</a></li>`)}
  </ul>`;

/** The parts that pages insert by name, from the declarations of the service. */
export const tables: Readonly<Record<string, (described: Described) => Html>> = {
  rates,
  errors,
  scopes: scopeTable,
  events,
  'delivery-headers': deliveryHeaders,
  gated,
};
