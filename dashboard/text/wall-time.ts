/** A date and a time of day, as a clock on a wall shows them: `2026-03-29T02:30`. */
export type WallTime = string;

/** The instant of a wall time in a time zone. */
export type Meaning =
  | { readonly kind: 'once'; readonly instant: Date }
  /** The clocks are set back over it. */
  | { readonly kind: 'twice'; readonly first: Date; readonly second: Date }
  /** The clocks are set forward over it; `instead` is as much later as they are set. */
  | { readonly kind: 'never'; readonly instead: WallTime }
  | { readonly kind: 'malformed' };

const DAY_MS = 86_400_000;
const WALL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

export function meaningOf(wall: WallTime, timeZone: string): Meaning {
  const asUtc = Date.parse(`${wall}Z`);
  if (!isWallTime(wall, asUtc)) return { kind: 'malformed' };
  // Clocks change at most once within two days, so that the time is by one of these two.
  const [before, after] = [asUtc - DAY_MS, asUtc + DAY_MS].map((near) => offsetAt(near, timeZone)) as [
    number,
    number,
  ];
  const instants = [...new Set([asUtc - before, asUtc - after])].filter(
    (instant) => wallTimeOf(new Date(instant), timeZone) === wall,
  );
  const [first, second] = instants.toSorted((a, b) => a - b).map((instant) => new Date(instant));
  if (first === undefined) return { kind: 'never', instead: wallTimeOf(new Date(asUtc - before), timeZone) };
  return second === undefined ? { kind: 'once', instant: first } : { kind: 'twice', first, second };
}

/** JavaScript takes 30 February for 2 March. */
const isWallTime = (wall: string, asUtc: number): boolean =>
  WALL_TIME.test(wall) && !Number.isNaN(asUtc) && new Date(asUtc).toISOString().startsWith(wall);

/** The wall time in that time zone. */
export function wallTimeOf(instant: Date, timeZone: string): WallTime {
  const parts = clock(timeZone).formatToParts(instant);
  const { year, month, day, hour, minute } = Object.fromEntries(
    parts.map(({ type, value }) => [type, value]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute', string>;
  return `${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}`;
}

/** Milliseconds that the clocks are ahead of UTC. */
const offsetAt = (instant: number, timeZone: string): number => {
  const minute = Math.floor(instant / 60_000) * 60_000;
  return Date.parse(`${wallTimeOf(new Date(minute), timeZone)}Z`) - minute;
};

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Kept, because making one is slow. */
function clock(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  clocks.set(timeZone, made);
  return made;
}

/** The time zone of the person's device. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
