/** The forms in which a client may take a message. */
export type Form = 'json' | 'events';

const EVENTS = 'text/event-stream';

/** @param accepts whether the client takes a media type @returns null if it takes neither form */
export function formFor(accepts: (type: string) => boolean): Form | null {
  if (accepts('application/json')) return 'json';
  return accepts(EVENTS) ? 'events' : null;
}

/** A message of the SDK, which sends it in the form of the revision, in the form that the client takes. */
export function framed(
  text: string,
  type: string,
  form: Form,
): { readonly text: string; readonly type: string } {
  const isStream = type.startsWith(EVENTS);
  if (text === '' || isStream === (form === 'events')) return { text, type };
  if (form === 'events') return { text: `event: message\ndata: ${text}\n\n`, type: EVENTS };
  // The last event is the answer; comments before it only keep the connection alive.
  const data = text.split('\n').findLast((line) => line.startsWith('data: '));
  return { text: data?.slice('data: '.length) ?? '', type: 'application/json' };
}
