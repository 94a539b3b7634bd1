import { fieldsBy, isEmpty, sameValue } from './fields.ts';
import type { FieldName, Fields } from './fields.ts';
import { afterFailure } from './after-failure.ts';
import { mergeFields } from './merge-fields.ts';
import { isQuiet } from './save-state.ts';
import type { Kept, SaveEvent, SaveState, Snapshot, Step } from './save-state.ts';
import { send, toSend } from './send.ts';
import { NEW_ARTICLE, restored } from './start.ts';

/** The pause after the last change. */
export const IDLE_MS = 1_500;

/** The effects of an event. Nothing else changes the state of saving. */
export function next(state: SaveState, event: SaveEvent): Step {
  switch (event.kind) {
    case 'edited':
      return edited(state, event.fields);
    case 'due':
      return state.phase === 'dirty' || state.phase === 'waiting' ? send(state) : { state, effects: [] };
    case 'save':
      return canSend(state) ? send({ ...state, refused: {}, problem: null }) : { state, effects: [] };
    case 'look':
      return look(state);
    case 'answered':
      return state.sent === null
        ? { state, effects: [] }
        : merged(state, event.snapshot, ancestorOfAnswer(state, state.sent, event.snapshot));
    case 'read':
      return merged(state, event.snapshot, ancestorOf(state, event.snapshot));
    case 'failed':
      return afterFailure(state, event.failure, event.now);
    case 'unpublishing':
      return unpublishing(state);
    case 'chosen':
      return chosen(state, event.fields);
    case 'adopt':
      return adopt(state, event.kept);
    case 'recreate':
      return recreate(state, event.createKey);
  }
}

const canSend = ({ phase }: SaveState): boolean =>
  phase !== 'saving' && phase !== 'checking' && phase !== 'conflict' && phase !== 'gone';

function edited(before: SaveState, fields: Partial<Fields>): Step {
  const mine = { ...before.mine, ...fields };
  const refused = Object.fromEntries(
    Object.entries(before.refused).filter(([name, { value }]) =>
      sameValue(name as FieldName, value, mine[name as FieldName]),
    ),
  );
  const state = { ...before, mine, refused };
  return isQuiet(state) ? pause(state, IDLE_MS) : { state, effects: [] };
}

/** Waits for further changes, if there is anything to save. */
function pause(state: SaveState, afterMs: number): Step {
  if (!isEmpty(toSend(state))) {
    return { state: { ...state, phase: 'dirty' }, effects: [{ kind: 'wake', afterMs }] };
  }
  const rest = isEmpty(state.refused) ? (state.phase === 'idle' ? 'idle' : 'saved') : 'refused';
  return { state: { ...state, phase: rest }, effects: [] };
}

/** Reads the state of the API, unless an answer is due anyway. */
function look(state: SaveState): Step {
  if (!isQuiet(state) || state.base.id === null) return { state, effects: [] };
  return { state: { ...state, phase: 'checking' }, effects: [{ kind: 'read' }] };
}

/** Joins the state of the API with the text typed meanwhile. */
function merged(before: SaveState, theirs: Snapshot, ancestor: Fields): Step {
  const { fields, conflicts } = mergeFields(ancestor, theirs.fields, before.mine);
  const isEditLost = theirs.target === 'article' && (before.isEditLost || hasEdit(before.base));
  const state = { ...before, sent: null, attempt: 0, problem: null, isEditLost };
  if (conflicts.length === 0) {
    return pause({ ...state, phase: 'saved', base: theirs, mine: fields, conflict: null }, IDLE_MS);
  }
  // With the former version, so that a copy of this state leads to the same conflict.
  const base = { ...theirs, etag: before.base.etag, fields: ancestor };
  return { state: { ...state, phase: 'conflict', base, conflict: theirs }, effects: [] };
}

/**
 * What both sides began with. If a field is as it was sent, the request was carried out and only its answer got lost:
 * then it is not a change of somebody else.
 */
const ancestorOf = ({ base, sent }: SaveState, current: Snapshot): Fields =>
  fieldsBy((name) =>
    sent !== null && sameValue(name, current.fields[name], sent[name]) ? sent[name] : base.fields[name],
  );

/**
 * What both sides began with, if the request was carried out. Whatever else an article has then is made by the API, such
 * as its first slug, and gives way to what was typed meanwhile. A pending edit also shows what others changed of the
 * published article.
 */
const ancestorOfAnswer = ({ mine }: SaveState, sent: Fields, { target, fields }: Snapshot): Fields =>
  target === 'pending'
    ? sent
    : fieldsBy((name) => (sameValue(name, mine[name], sent[name]) ? sent[name] : fields[name]));

const hasEdit = ({ target, etag }: Snapshot): boolean => target === 'pending' && etag !== null;

/**
 * Unpublishing discards the edit, but its text stays here, as a change of the draft, and on the device until that is
 * saved. The version is the edit's and no draft has it, so that nothing is written before the draft is read.
 */
function unpublishing(before: SaveState): Step {
  const { base } = before;
  const state: SaveState = { ...before, phase: 'checking' };
  if (!hasEdit(base) || base.live === null) return { state, effects: [] };
  // As what was sent, so that an edit that is still there is not a change of somebody else.
  const draft: Snapshot = { ...base, target: 'article', fields: base.live, live: null };
  return { state: { ...state, base: draft, sent: base.fields }, effects: [] };
}

function chosen(state: SaveState, fields: Fields): Step {
  if (state.conflict === null) return { state, effects: [] };
  return send({ ...state, base: state.conflict, mine: fields, conflict: null });
}

/** Only when nothing else is to be saved. */
function adopt(state: SaveState, kept: Kept): Step {
  if (state.phase !== 'idle' && state.phase !== 'saved') return { state, effects: [] };
  const adopted = restored(kept);
  return adopted.phase === 'checking'
    ? { state: adopted, effects: [{ kind: 'read' }] }
    : { state: adopted, effects: [{ kind: 'wake', afterMs: 0 }] };
}

function recreate(state: SaveState, createKey: string): Step {
  if (state.phase !== 'gone') return { state, effects: [] };
  return send({ ...state, base: NEW_ARTICLE, createKey });
}
