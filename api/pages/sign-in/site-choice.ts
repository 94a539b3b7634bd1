import { html } from '../../http/html.ts';
import type { Html } from '../../http/html.ts';
import { described } from './layout.ts';

/** A Site for which the person may create keys. */
export interface SiteChoice {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly organisationName: string;
}

interface SiteTexts {
  readonly keyFor: string;
  readonly of: string;
  readonly whichSite: string;
}

/** Asks for which Site a key is; names it if there is only one. @param problem the mistake in the submitted choice */
export function siteChoice(text: SiteTexts, sites: readonly SiteChoice[], problem: string | null): Html {
  const [only] = sites;
  if (sites.length === 1 && only !== undefined) {
    return html`<input type="hidden" name="site_id" value="${only.id}" />
      <p>
        ${text.keyFor} <strong>${only.name}</strong> (${only.domain}) ${text.of} ${only.organisationName}.
      </p>`;
  }
  return html`<fieldset${described(problem)}>
    <legend>${text.whichSite}</legend>
    ${sites.map(
      ({ id, name, domain, organisationName }) =>
        html`<label class="choice"
          ><input type="radio" name="site_id" value="${id}" required />
          <span><strong>${name}</strong> <span class="of">${domain}, ${organisationName}</span></span></label
        >`,
    )}
  </fieldset>`;
}
