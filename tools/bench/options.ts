import { parseArgs } from 'node:util';
import { StartError } from '../dev/home.ts';
import { scenarios } from './scenarios.ts';
import { parts } from './webhooks/measure.ts';

const USAGE = `npm run bench -- [name …] [--seconds 8] [--json FILE] [--profile FOLDER]
  names: ${[...Object.keys(scenarios), 'import'].join(', ')}; without one, all of them,
    then on-the-hour and webhooks publishes
  or on-the-hour: 2,000 articles that are due at one second, with one worker, with three, and with a PURGE_URL that hangs,
    and 2,000, 10,000 and 20,000 that are scheduled seconds before
  or neighbours: reads of one organisation beside slow searches of another
  or dashboard: the first rows of 100,000 articles, scrolling through 10,000, and typing in 100 KB, in Chromium
  or webhooks [part …], from the publish to the receiver: ${Object.keys(parts).join(', ')}; without one, all of them
  --json writes the figures there; docs/benchmarks.md is generated from docs/benchmarks.json
  --profile writes the CPU profiles of the servers there`;

const bareLimits = ['constant', 'row'];

const aloneNames = ['on-the-hour', 'dashboard', 'neighbours'] as const;

type Alone = (typeof aloneNames)[number];

export interface Options {
  /** Benchmarks that are not a load of requests; each runs alone. */
  readonly alone: Alone | null;
  /** Whether webhooks are measured; then `names` are parts of that benchmark. */
  readonly webhooks: boolean;
  readonly names: readonly string[];
  readonly importing: boolean;
  readonly measureMs: number;
  readonly json: string | undefined;
  readonly profile: string | undefined;
}

/** What is measured without a name. */
const withoutName = [[], ['on-the-hour'], ['webhooks', 'publishes']] as const;

/**
 * What to measure, one after another.
 *
 * @throws StartError with the usage
 */
export function readRuns(): readonly Options[] {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { seconds: { type: 'string' }, json: { type: 'string' }, profile: { type: 'string' } },
    });
    if (positionals.length > 0) return [optionsOf(positionals, values)];
    return withoutName.map((names) => optionsOf(names, values));
  } catch {
    throw new StartError(USAGE);
  }
}

interface Values {
  readonly seconds?: string | undefined;
  readonly json?: string | undefined;
  readonly profile?: string | undefined;
}

/** @throws Error if a name or a value is wrong */
function optionsOf(positionals: readonly string[], { seconds, json, profile }: Values): Options {
  const measureMs = Number(seconds ?? 8) * 1000;
  const webhooks = positionals[0] === 'webhooks';
  const [only] = positionals;
  const alone = positionals.length === 1 ? (aloneNames.find((name) => name === only) ?? null) : null;
  const given = webhooks ? positionals.slice(1) : positionals;
  const importing = !webhooks && (given.length === 0 || given.includes('import'));
  const isKnown = (name: string): boolean =>
    webhooks ? Object.hasOwn(parts, name) : name === 'import' || Object.hasOwn(scenarios, name);
  const known = alone !== null || given.every(isKnown);
  if (!known || !(measureMs > 0)) throw new Error('An unknown name, or a wrong number of seconds');
  const common = { alone, webhooks, measureMs, json, profile };
  if (alone !== null) return { ...common, names: [], importing: false };
  if (webhooks) {
    const names = Object.keys(parts).filter((name) => given.length === 0 || given.includes(name));
    return { ...common, names, importing };
  }
  // Everything is compared with the limits, so every run measures them.
  const wanted = new Set(given.length === 0 ? Object.keys(scenarios) : [...bareLimits, ...given]);
  if (importing) wanted.add('create');
  const names = Object.keys(scenarios).filter((name) => wanted.has(name));
  return { ...common, names, importing };
}
