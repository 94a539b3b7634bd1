import { BASE_PATH } from '../../http/base-path.ts';
import { generalErrors } from '../../framework/error-codes.ts';
import { html } from '../../http/html.ts';
import type { Html } from '../../http/html.ts';
import type { Schema } from '../../framework/openapi/json-schema.ts';
import { guideAddress } from './addresses.ts';
import { codeExamples, jsonExample } from './code.ts';
import type { Described, DescribedAnswer, DescribedEvent, DescribedOperation } from './described.ts';
import { errorMeanings } from './error-meanings.ts';
import { requestExamples } from './examples.ts';
import { membersOf, parametersIn, shapeName } from './fields.ts';
import { blockMarkdown } from './markdown.ts';
import { rateText } from './tables.ts';
import { tryForm } from './try-form.ts';

export const methodBadge = (method: string): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`;

/** An operation: its description on one side, examples and the form to try it on the other. */
export function operationSection(operation: DescribedOperation, described: Described): Html {
  const { id, summary, method, path, description } = operation;
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
    <div class="about">
      <h2 id="${id}-title"><a href="#${id}">${summary}</a></h2>
      <p class="endpoint">${methodBadge(method)} <code>${BASE_PATH}${path}</code></p>
      ${blockMarkdown(description)} ${facts(operation)} ${inputs(operation, described)}
      <h3>Answers</h3>
      ${operation.answers.map((answer) => answerOf(answer, described))} ${errors(operation)}
    </div>
    <div class="examples">
      ${codeExamples(requestExamples(operation, described))} ${answerExamples(operation)}
      ${tryForm(operation)}
    </div>
  </section>`;
}

const facts = (operation: DescribedOperation): Html => {
  const { keyless, scope, permission, rateClass, publishable, gated, parameters } = operation;
  const key = parameters.find(({ name }) => name === 'Idempotency-Key');
  const rows: (readonly [string, Html] | null)[] = [
    [
      'Key',
      keyless
        ? html`none`
        : html`${publishable ? 'secret or publishable' : 'secret'}${scope === null ? ', any scope' : html`, scope <code>${scope}</code>`}`,
    ],
    permission === null ? null : ['Permission', html`<code>${permission}</code>`],
    ['Rate limit', html`<a href="${guideAddress('limits')}">${rateText(rateClass)}</a>`],
    key === undefined
      ? null
      : [
          'Idempotency',
          html`<a href="${guideAddress('idempotency')}"><code>Idempotency-Key</code></a>
            ${key.required ? 'required' : 'honoured'}`,
        ],
    gated ? ['Agents', html`need an <a href="${guideAddress('agents')}">approval</a>`] : null,
  ];
  return html`<dl class="facts">
    ${rows.map((row) =>
      row === null
        ? html``
        : html`<div>
            <dt>${row[0]}</dt>
            <dd>${row[1]}</dd>
          </div>`,
    )}
  </dl>`;
};

const part = (title: string, content: Html | null): Html | null =>
  content === null
    ? null
    : html`<h3>${title}</h3>
        ${content}`;

const inputs = ({ parameters, body }: DescribedOperation, { schemas }: Described): Html =>
  html`${part('Path parameters', parametersIn(parameters, 'path', schemas))}
  ${part('Query parameters', parametersIn(parameters, 'query', schemas))}
  ${part('Headers', parametersIn(parameters, 'header', schemas))}
  ${part(
    body?.required === false ? 'Body (optional)' : 'Body',
    body === null ? null : membersOf(body.schema, schemas, 'sent'),
  )}`;

function answerOf({ status, description, headers, data }: DescribedAnswer, { schemas }: Described): Html {
  const head = html`<strong>${status}</strong> ${data === null ? 'no body' : shapesIn(data)}`;
  const said = html`${/^[A-Z][A-Za-z ]+$/.test(description) ? null : html`<p>${description}</p>`}
  ${headers.length === 0 ? null : html`<p>With ${listed(headers)}.</p>`}`;
  const shapes = data === null ? [] : (data.oneOf ?? data.anyOf ?? [data]);
  if (shapes.length === 0)
    return html`<div class="answer">
      <p>${head}</p>
      ${said}
    </div>`;
  return html`<details class="answer">
    <summary>${head}</summary>
    ${said}
    ${shapes.map(
      (shape) =>
        html`${shapes.length > 1 ? html`<p>${shapeName(shape) ?? 'object'}:</p>` : null}
        ${membersOf(shape, schemas, 'answered')}`,
    )}
  </details>`;
}

const shapesIn = (data: Schema): Html => {
  const names = (data.oneOf ?? data.anyOf ?? [data])
    .map((shape) => shapeName(shape))
    .filter((name) => name !== null);
  return names.length === 0
    ? html`an object`
    : html`${names.map((name, index) => html`${index === 0 ? '' : ' or '}<code>${name}</code>`)}`;
};

const listed = (names: readonly string[]): Html =>
  html`${names.map(
    (name, index) =>
      html`${index === 0 ? '' : index === names.length - 1 ? ' and ' : ', '}<code>${name}</code>`,
  )}`;

const general: ReadonlySet<string> = new Set(generalErrors);

function errors({ errors: declared }: DescribedOperation): Html {
  const own = declared.filter(({ code }) => !general.has(code));
  const others = new Set(declared.map(({ code }) => code).filter((code) => general.has(code)));
  return html`<h3>Errors</h3>
    ${
      own.length === 0
        ? null
        : html`<ul class="fields errors">
            ${own.map(
              ({ status, code }) =>
                html`<li>
                  <p class="name">
                    <span class="status">${status}</span>
                    <a href="${guideAddress('errors', code)}"><code>${code}</code></a>
                  </p>
                  <div class="says"><p>${errorMeanings[code as keyof typeof errorMeanings]}</p></div>
                </li>`,
            )}
          </ul>`
    }
    <p class="general">
      ${own.length === 0 ? 'Those' : 'And those'} of every request:
      ${[...others].map(
        (code, index) =>
          html`${index === 0 ? '' : ', '}<a href="${guideAddress('errors', code)}"><code>${code}</code></a>`,
      )}.
    </p>`;
}

function answerExamples({ answers }: DescribedOperation): Html | null {
  const shown = answers.filter(({ example }) => example !== undefined);
  return shown.length === 0
    ? null
    : codeExamples(shown.map(({ status, example }) => jsonExample(`Answer ${status}`, example)));
}

/** An event, as an endpoint receives it. */
export const eventSection = (
  { name, summary, schema, example }: DescribedEvent,
  { schemas }: Described,
): Html =>
  html`<section class="operation" id="${name}" aria-labelledby="${name}-title">
    <div class="about">
      <h2 id="${name}-title"><a href="#${name}">${summary}</a></h2>
      <p class="endpoint"><span class="method event">EVENT</span> <code>${name}</code></p>
      <p>Sent to endpoints; see <a href="${guideAddress('webhooks')}">how to receive events</a>.</p>
      <h3>Body</h3>
      ${membersOf(schema, schemas, 'answered')}
    </div>
    <div class="examples">${codeExamples([jsonExample('Body', example)])}</div>
  </section>`;
