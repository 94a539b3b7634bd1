import type { Comments, Frame } from './content.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { dateOf } from './layout.ts';
import { PressworkError } from './sdk.ts';
import type { Presswork } from './sdk.ts';
import { textsOf } from './texts.ts';
import type { Texts } from './texts.ts';

/** People do not see this field of the form; programs fill it in. */
const TRAP = 'website';

/** The fate of a comment, to tell its author: it is public, it waits, or why it was not taken. */
export type Outcome = 'approved' | 'held' | 'incomplete' | 'tooMany' | 'notTaken';

export interface Sent {
  readonly outcome: Outcome;
  /** The refused fields of the API, with the reasons. */
  readonly fields: Readonly<Record<string, string>>;
  readonly form: URLSearchParams;
}

const refusals: Readonly<Record<string, Outcome>> = {
  VALIDATION_FAILED: 'incomplete',
  RATE_LIMIT_EXCEEDED: 'tooMany',
  COMMENTS_CLOSED: 'notTaken',
  COMMENTS_DISABLED: 'notTaken',
  NOT_FOUND: 'notTaken',
};

/**
 * Submits a reader's comment. The API decides whether it becomes public: it knows the rules of the Site, and how
 * much this reader has written lately.
 *
 * @throws PressworkError if the API is away
 */
export async function submit(
  api: Presswork,
  slug: string,
  form: URLSearchParams,
  readerIp: string | null,
): Promise<Sent> {
  // A program learns nothing from the answer.
  if (form.get(TRAP)) return { outcome: 'held', fields: {}, form };
  try {
    const { status } = await api.comments.submit({
      slug,
      body: form.get('body') ?? '',
      author_name: form.get('author_name') ?? '',
      author_email: form.get('author_email') || null,
      reader_ip: readerIp,
    });
    return { outcome: status === 'approved' ? 'approved' : 'held', fields: {}, form };
  } catch (error) {
    if (!(error instanceof PressworkError)) throw error;
    const outcome = refusals[error.code];
    if (outcome === undefined) throw error;
    return { outcome, fields: error.fields, form };
  }
}

interface Section {
  /** The address of the article, to which the form is sent. */
  readonly path: string;
  /** Whether this blog has a key that may submit comments. */
  readonly canComment: boolean;
  /** The reader's new comment. */
  readonly sent?: Partial<Sent> | undefined;
}

/** Readers' texts are plain text, with line breaks that are meant. */
export function commentsView(frame: Frame, comments: Comments, section: Section): Html {
  const t = textsOf(frame.site.locale);
  const answers = Map.groupBy(comments.items, ({ parent_id: parent }) => parent);
  const list = (parent: string | null): Html | undefined => {
    const items = answers.get(parent)?.map(
      ({ id, author_name: name, created_at: at, body }) =>
        html`<li>
          <p class="date"><b>${name}</b> ${dateOf(frame, at)}</p>
          <p class="said">${body}</p>
          ${list(id)}
        </li>`,
    );
    return (
      items &&
      html`<ol>
        ${items}
      </ol>`
    );
  };
  return html`<section class="comments" aria-labelledby="comments">
    <h2 id="comments">${t.comments}</h2>
    ${list(null) ?? html`<p>${t.noComments}</p>`} ${!comments.open && html`<p>${t.closed}</p>`}
    ${comments.open && section.canComment && form(comments, section, t)}
  </section>`;
}

function form(comments: Comments, { path, sent }: Section, t: Texts): Html {
  const mistake = (name: string): string | undefined => sent?.fields?.[name];
  const field = (name: string, label: string, control: (attributes: Html, value: string) => Html): Html => {
    const marked = html`aria-invalid="true" aria-describedby="mistake-${name}"`;
    const attributes = html`id="${name}" name="${name}" ${mistake(name) && marked}`;
    return html`<p>
      <label for="${name}">${label}</label>
      ${control(attributes, sent?.form?.get(name) ?? '')}
      ${mistake(name) && html`<span class="mistake" id="mistake-${name}" lang="en">${mistake(name)}</span>`}
    </p>`;
  };
  const needsEmail = comments.require_email;
  return html`<form id="write" method="post" action="${path}#write">
    <h3>${t.write}</h3>
    ${sent?.outcome && html`<p class="outcome" role="status">${t[sent.outcome]}</p>`}
    ${field(
      'author_name',
      t.name,
      (attributes, value) =>
        html`<input ${attributes} value="${value}" required maxlength="100" autocomplete="name" />`,
    )}
    ${field(
      'author_email',
      needsEmail ? t.email : t.optional,
      (attributes, value) =>
        html`<input
          type="email"
          ${attributes}
          value="${value}"
          ${needsEmail && html`required`}
          maxlength="254"
          autocomplete="email"
        />`,
    )}
    ${field(
      'body',
      t.comment,
      (attributes, value) =>
        html`<textarea ${attributes} required maxlength="5000" rows="6">${value}</textarea>`,
    )}
    <input hidden name="${TRAP}" autocomplete="off" />
    <button>${t.send}</button>
  </form>`;
}
