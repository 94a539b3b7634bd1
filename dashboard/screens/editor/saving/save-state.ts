import type { Article } from '../../../../sdk/src/index.ts';
import type { FieldName, Fields } from './fields.ts';

/** The state of the API, as far as this tab knows. */
export interface Snapshot {
  /** Null for an article that has not been created. */
  readonly id: string | null;
  /** A published article is changed by its pending edit, so that nobody sees half a sentence (docs/spec/rulings.md, 15). */
  readonly target: 'article' | 'pending';
  /** Of the target; null if there is none yet. */
  readonly etag: string | null;
  readonly fields: Fields;
  /** What readers see, if the target is a pending edit. */
  readonly live: Fields | null;
  readonly lifecycle: Lifecycle;
}

export interface Lifecycle extends Pick<
  Article,
  'status' | 'origin' | 'published_at' | 'content_updated_at' | 'scheduled_publish_at' | 'updated_at'
> {
  /** The address that readers know; null before the first publication. */
  readonly live_slug: string | null;
  /** When the pending edit is published. */
  readonly edit_scheduled_at: string | null;
  /** The fields for which a scheduled pending edit could not be published. */
  readonly edit_conflict: readonly string[];
}

/**
 * - `idle`: nothing has been changed; `saved`: everything has been saved
 * - `dirty`: changed, and saved after a pause
 * - `saving`: sent; `checking`: reading what the API has, before anything is sent
 * - `waiting`: sent again later, as there was no answer or a refusal for now
 * - `conflict`: a person has to choose; `refused`: a person has to correct something
 * - `signedOut`, `gone`: a person has to sign in again, or the article was deleted
 */
export type Phase =
  | 'idle'
  | 'dirty'
  | 'saving'
  | 'checking'
  | 'saved'
  | 'waiting'
  | 'conflict'
  | 'refused'
  | 'signedOut'
  | 'gone';

export interface SaveState {
  readonly phase: Phase;
  readonly base: Snapshot;
  readonly mine: Fields;
  /** What the base becomes by a request whose outcome is not known. It is sent again as it was. */
  readonly sent: Fields | null;
  /** The idempotency key of the creation. */
  readonly createKey: string;
  /** Tries in a row that failed for now. */
  readonly attempt: number;
  readonly problem: Problem | null;
  /** By field, the API's message and the value that it refused. It is left out until it is changed. */
  readonly refused: Readonly<Partial<Record<FieldName, Refusal>>>;
  /** The state of the API, in a conflict with mine. The fields of the base are then those that both began with. */
  readonly conflict: Snapshot | null;
  /** Whether the edit was discarded because the article was unpublished elsewhere. */
  readonly isEditLost: boolean;
}

export interface Refusal {
  /** By dotted path, such as `faqs.0.question`. */
  readonly messages: Readonly<Record<string, string>>;
  readonly value: unknown;
}

export type Problem =
  | { readonly kind: 'offline' }
  | { readonly kind: 'busy'; readonly retryAt: number }
  | { readonly kind: 'refused'; readonly message: string };

export type Failure =
  /** No answer, or not now; whether it was done is not known. */
  | { readonly kind: 'later'; readonly offline: boolean; readonly retryAfterMs: number | null }
  /** The API has another version. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly message: string; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'gone' };

export type SaveEvent =
  | { readonly kind: 'edited'; readonly fields: Partial<Fields> }
  /** The pause is over. */
  | { readonly kind: 'due' }
  /** A person asks for it, or a connection or a session is back. */
  | { readonly kind: 'save' }
  /** Another tab has saved, or the page is looked at again. */
  | { readonly kind: 'look' }
  | { readonly kind: 'answered'; readonly snapshot: Snapshot }
  | { readonly kind: 'read'; readonly snapshot: Snapshot }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly now: number }
  /** The article is unpublished next. What the API has is read then, and nothing is sent before. */
  | { readonly kind: 'unpublishing' }
  | { readonly kind: 'chosen'; readonly fields: Fields }
  /** Text that another tab has left on the device. */
  | { readonly kind: 'adopt'; readonly kept: Kept }
  /** Creates an article that was deleted once more. */
  | { readonly kind: 'recreate'; readonly createKey: string };

export type Effect =
  | { readonly kind: 'send'; readonly request: SaveRequest }
  | { readonly kind: 'read' }
  /** Replaces the one before. */
  | { readonly kind: 'wake'; readonly afterMs: number };

export interface SaveRequest {
  readonly base: Snapshot;
  readonly patch: Partial<Fields>;
  readonly createKey: string;
}

/** The stored text of an article on this device until the API has it. */
export interface Kept {
  readonly base: Snapshot;
  readonly mine: Fields;
  readonly sent: Fields | null;
  readonly createKey: string;
}

export interface Step {
  readonly state: SaveState;
  readonly effects: readonly Effect[];
}

/** Whether nothing is under way, and a request could be sent. */
export const isQuiet = ({ phase }: SaveState): boolean =>
  ['idle', 'saved', 'dirty', 'refused'].includes(phase);

/** Whether this tab has text that the API may not have. */
export const isUnsaved = ({ phase, sent }: SaveState): boolean =>
  sent !== null || !(phase === 'idle' || phase === 'saved');
