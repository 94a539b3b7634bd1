import { isEmpty } from './fields.ts';
import type { FieldName } from './fields.ts';
import type { Failure, Refusal, SaveState, Step } from './save-state.ts';
import { send, toSend } from './send.ts';

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** The effects of a failed request: the text stays in every case. */
export function afterFailure(state: SaveState, failure: Failure, now: number): Step {
  switch (failure.kind) {
    case 'later':
      return wait(state, failure, now);
    case 'stale':
      return { state: { ...state, phase: 'checking' }, effects: [{ kind: 'read' }] };
    case 'refused':
      return refuse({ ...state, attempt: 0 }, failure);
    case 'signedOut':
      return { state: { ...state, phase: 'signedOut' }, effects: [] };
    case 'gone':
      return { state: { ...state, phase: 'gone', sent: null }, effects: [] };
  }
}

function wait(
  state: SaveState,
  { offline, retryAfterMs }: Extract<Failure, { kind: 'later' }>,
  now: number,
): Step {
  const backOff = Math.min(LONGEST_MS, FIRST_MS * 2 ** state.attempt);
  const afterMs = Math.max(retryAfterMs ?? 0, backOff);
  const problem = offline
    ? ({ kind: 'offline' } as const)
    : ({ kind: 'busy', retryAt: now + afterMs } as const);
  // It was only a look, and there is nothing to save.
  if (state.sent === null && isEmpty(toSend(state))) return send(state);
  return {
    state: { ...state, phase: 'waiting', attempt: state.attempt + 1, problem },
    effects: [{ kind: 'wake', afterMs }],
  };
}

/** Saves the rest without the fields that were refused. */
function refuse(before: SaveState, { message, fields }: Extract<Failure, { kind: 'refused' }>): Step {
  const sent = before.sent;
  const refused = Object.entries(fields).reduce<Partial<Record<FieldName, Refusal>>>(
    (all, [path, reason]) => {
      const name = path.split('.')[0] as FieldName;
      if (sent === null || !(name in sent)) return all;
      return { ...all, [name]: { messages: { ...all[name]?.messages, [path]: reason }, value: sent[name] } };
    },
    {},
  );
  const state = { ...before, sent: null, refused: { ...before.refused, ...refused } };
  const isProgress = Object.keys(refused).some((name) => !(name in before.refused));
  if (isProgress && !isEmpty(toSend(state))) return send(state);
  const problem = isProgress ? null : ({ kind: 'refused', message } as const);
  return { state: { ...state, phase: 'refused', problem }, effects: [] };
}
