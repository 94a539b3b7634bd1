import { BASE_PATH } from '../../http/base-path.ts';
import { html } from '../../http/html.ts';
import type { Html } from '../../http/html.ts';
import type { DescribedOperation, Parameter } from './described.ts';

/**
 * The form that sends a request from the page. browser/try.js shows and runs it. Nothing in it has a name, so that no
 * browser could put the key into an address.
 */
export function tryForm(operation: DescribedOperation): Html {
  const { id, method, path, keyless, parameters, body, summary } = operation;
  const inputs = parameters.map((parameter) => input(id, parameter));
  return html`<details class="try" hidden data-method="${method}" data-path="${BASE_PATH}${path}">
    <summary>Try it<span class="visually-hidden">: ${summary}</span></summary>
    <form autocomplete="off">
      ${
        keyless
          ? null
          : html`<p class="input">
              <label for="${id}-key">API key</label>
              <input
                id="${id}-key"
                type="password"
                data-in="key"
                required
                autocomplete="off"
                spellcheck="false"
                placeholder="svc_…"
                aria-describedby="${id}-key-note"
              />
              <span class="note" id="${id}-key-note">Stays in this page until you leave or reload it.</span>
            </p>`
      }
      ${inputs}
      ${
        body === null
          ? null
          : html`<p class="input">
              <label for="${id}-body">Body</label>
              <textarea id="${id}-body" data-in="body" rows="8" spellcheck="false">
${JSON.stringify(body.example, null, 2)}</textarea>
            </p>`
      }
      <p class="actions">
        <button type="submit">Send</button>
        <span class="confirmation" hidden>
          <span>This is a real request, and it writes.</span>
          <button type="button" data-do="confirm" class="danger">Send ${method}</button>
          <button type="button" data-do="cancel" class="quiet">Cancel</button>
        </span>
      </p>
    </form>
    <p class="result" role="status"></p>
    <div class="outcome"></div>
  </details>`;
}

function input(id: string, { name, in: place, required, schema, explode }: Parameter): Html {
  const own = `${id}-${place}-${name}`;
  const values = schema.enum ?? schema.items?.enum;
  const generated = name === 'Idempotency-Key' ? 'a new one for each request' : '';
  const hint = generated || (schema.type === 'array' ? 'separated by commas' : (schema.format ?? ''));
  const attributes = html`id="${own}" data-in="${place}" data-name="${name}"
  ${schema.type === 'array' && explode !== false ? html`data-repeat` : null}
  ${required && generated === '' ? html`required` : null}`;
  const control =
    values !== undefined && schema.type !== 'array'
      ? html`<select ${attributes}>
          ${required ? null : html`<option value=""></option>`}
          ${values.map((value) => html`<option>${String(value)}</option>`)}
        </select>`
      : html`<input type="text" ${attributes} spellcheck="false" placeholder="${hint}" />`;
  return html`<p class="input">
    <label for="${own}"><code>${name}</code>${required && generated === '' ? '' : ' (optional)'}</label>
    ${control}
  </p>`;
}
