import type { ReplayRequest } from '../activities/webhook-endpoint.ts';

/**
 * Checks input that people type into a form or a command line. A signal has no answer, so invalid input has to be
 * refused here; an activity would retry it for ever.
 */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i;
const MEMBERS = ['since', 'until', 'events'];
const MOST_EVENTS = 100;

/** Valid input, or why it is not valid. */
type Checked<Input> = { readonly input: Input } | { readonly refused: string };

/** An empty field of a form is sent as null. */
function given(args: readonly unknown[]): readonly unknown[] {
  const last = args.findLastIndex((arg) => arg !== null && arg !== undefined);
  return args.slice(0, last + 1);
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 100);

export function checkNothing(args: readonly unknown[]): Checked<null> {
  return given(args).length === 0 ? { input: null } : { refused: 'it takes no input' };
}

/** One event id. */
export function checkEventId(args: readonly unknown[]): Checked<string> {
  const [id, ...more] = given(args);
  if (id === undefined) return { refused: 'the input must be an event id, but there is none' };
  if (more.length > 0) return { refused: 'the input must be a single event id' };
  if (typeof id !== 'string' || !UUID.test(id))
    return { refused: `the input must be an event id (a UUID), not ${shown(id)}` };
  return { input: id.toLowerCase() };
}

/** One time range and event names. The activity checks that the names exist. */
export function checkReplay(args: readonly unknown[]): Checked<ReplayRequest> {
  const [request, ...more] = given(args);
  if (more.length > 0) return { refused: 'the input must be a single object' };
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    return { refused: 'the input must be an object such as {"since": "2026-03-01T09:00:00Z"}' };
  const unknown = Object.keys(request).filter((name) => !MEMBERS.includes(name));
  if (unknown.length > 0)
    return { refused: `unknown members: ${shown(unknown)}; known are ${MEMBERS.join(', ')}` };
  const { since, until, events } = request as Record<string, unknown>;
  if (!isTime(since)) return { refused: `since must be a date-time with an offset, not ${shown(since)}` };
  if (until !== undefined && !isTime(until))
    return { refused: `until must be a date-time with an offset, not ${shown(until)}` };
  if (until !== undefined && Date.parse(until) <= Date.parse(since))
    return { refused: 'until must be later than since' };
  if (events !== undefined && !isNames(events))
    return { refused: `events must be a list of event names, not ${shown(events)}` };
  return {
    input: { since, ...(until !== undefined && { until }), ...(events !== undefined && { events }) },
  };
}

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= MOST_EVENTS &&
  value.every((name) => typeof name === 'string');
