import type { Comments, Frame } from './content.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { dateOf } from './layout.ts';
import { PressworkError } from './sdk.ts';
import type { Presswork, PublicComment } from './sdk.ts';
import { textsOf } from './texts.ts';

/** People do not see this field of the form; programs fill it in. */
const TRAP = 'website';

/** What became of a comment, to tell its author: it is public, it waits, or why it was not taken. */
export type Outcome = 'approved' | 'held' | 'incomplete' | 'tooMany' | 'notTaken';

export interface Sent {
  readonly outcome: Outcome;
  /** What is wrong with which field, by the API. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Submits what a reader has sent. The API decides whether it becomes public: it knows the rules of the Site, and how much
 * this reader has written lately.
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
  if (form.get(TRAP)) return { outcome: 'held', fields: {} };
  try {
    const { status } = await api.comments.submit({
      slug,
      body: form.get('body') ?? '',
      author_name: form.get('author_name') ?? '',
      author_email: form.get('author_email') || null,
      parent_id: form.get('parent_id') || null,
      reader_ip: readerIp,
    });
    return { outcome: status === 'approved' ? 'approved' : 'held', fields: {} };
  } catch (error) {
    const outcome = error instanceof PressworkError ? refusals[error.code] : undefined;
    if (outcome === undefined) throw error;
    return { outcome, fields: (error as PressworkError).fields };
  }
}

const refusals: Readonly<Record<string, Outcome>> = {
  VALIDATION_FAILED: 'incomplete',
  RATE_LIMIT_EXCEEDED: 'tooMany',
  COMMENTS_CLOSED: 'notTaken',
  COMMENTS_DISABLED: 'notTaken',
  PARENT_NOT_FOUND: 'notTaken',
  NOT_FOUND: 'notTaken',
};

/** What a reader who comments has chosen and sent. */
export interface Visit {
  /** The id of a comment. */
  readonly replyTo?: string | null;
  readonly outcome?: Outcome | undefined;
  /** A form that was not taken, to be corrected. */
  readonly form?: URLSearchParams;
  readonly fields?: Sent['fields'];
}

interface Section extends Visit {
  /** The address of the article, to which the form is sent. */
  readonly path: string;
  /** Whether this blog has a key that may submit comments. */
  readonly canComment: boolean;
}

export function commentsView(frame: Frame, comments: Comments, section: Section): Html {
  const t = textsOf(frame.site.locale);
  const threads = comments.items.filter(({ parent_id: parent }) => parent === null);
  const canWrite = section.canComment && comments.open;
  const replies = Map.groupBy(comments.items, ({ parent_id: parent }) => parent);
  const one = (comment: PublicComment): Html =>
    html`<li id="comment-${comment.id}">
      <p class="date"><b>${comment.author_name}</b> ${dateOf(frame, comment.created_at)}</p>
      <p class="said">${comment.body}</p>
      ${
        canWrite &&
        html`<p>
          <a href="${section.path}?reply=${comment.id}#write" aria-label="${t.replyTo} ${comment.author_name}"
            >${t.reply}</a
          >
        </p>`
      }
      ${
        replies.has(comment.id) &&
        html`<ol>
          ${replies.get(comment.id)?.map(one)}
        </ol>`
      }
    </li>`;
  return html`<section class="comments" aria-labelledby="comments">
    <h2 id="comments">${t.comments}</h2>
    ${
      threads.length > 0
        ? html`<ol>
            ${threads.map(one)}
          </ol>`
        : html`<p>${t.noComments}</p>`
    }
    ${comments.open ? canWrite && form(frame, comments, section) : html`<p>${t.closed}</p>`}
  </section>`;
}

function form(
  frame: Frame,
  comments: Comments,
  { path, replyTo, outcome, fields = {}, ...sent }: Section,
): Html {
  const t = textsOf(frame.site.locale);
  const parentId = sent.form?.get('parent_id') || replyTo;
  const parent = comments.items.find(({ id }) => id === parentId);
  const value = (name: string): string => sent.form?.get(name) ?? '';
  const mistake = (name: string): Html | false =>
    fields[name] !== undefined &&
    html`<span class="mistake" id="mistake-${name}" lang="en">${fields[name]}</span>`;
  const marked = (name: string): Html | false =>
    fields[name] !== undefined && html`aria-invalid="true" aria-describedby="mistake-${name}"`;
  return html`<form id="write" method="post" action="${path}#write">
    <h3>${parent ? `${t.replyTo} ${parent.author_name}` : t.write}</h3>
    ${outcome !== undefined && html`<p class="outcome" role="status">${t[outcome]}</p>`}
    ${parent && html`<input type="hidden" name="parent_id" value="${parent.id}" />`}
    <label
      >${t.name}
      <input
        name="author_name"
        value="${value('author_name')}"
        required
        maxlength="100"
        autocomplete="name"
        ${marked('author_name')}
      />
      ${mistake('author_name')}</label
    >
    <label
      >${comments.require_email ? t.email : t.optional}
      <input
        type="email"
        name="author_email"
        value="${value('author_email')}"
        maxlength="254"
        autocomplete="email"
        ${comments.require_email && html`required`}
        ${marked('author_email')}
      />
      ${mistake('author_email')}</label
    >
    <label
      >${t.comment}
      <textarea name="body" required maxlength="5000" rows="6" ${marked('body')}>${value('body')}</textarea>
      ${mistake('body')}</label
    >
    <input hidden name="${TRAP}" tabindex="-1" autocomplete="off" aria-hidden="true" />
    <button>${t.send}</button>
  </form>`;
}
