import { changedFields, isEmpty } from './fields.ts';
import type { Patch } from './fields.ts';
import type { SaveState, Step } from './save-state.ts';

/** The changes, without those that the API refused and nobody has corrected. */
export function toSend({ base, mine, refused }: SaveState): Patch {
  const changed = Object.entries(changedFields(base.fields, mine));
  return Object.fromEntries(changed.filter(([name]) => !(name in refused)));
}

/** Sends what has been changed; first what may have been sent, exactly as it was. */
export function send(state: SaveState): Step {
  const { base, createKey, sent } = state;
  const before = sent === null ? {} : changedFields(base.fields, sent);
  const patch = isEmpty(before) ? toSend(state) : before;
  if (isEmpty(patch)) {
    const phase = isEmpty(state.refused) ? 'saved' : 'refused';
    return { state: { ...state, phase, sent: null, attempt: 0 }, effects: [] };
  }
  return {
    state: { ...state, phase: 'saving', sent: { ...base.fields, ...patch } },
    effects: [{ kind: 'send', request: { base, patch, createKey } }],
  };
}
