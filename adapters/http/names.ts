import type { LookupAddress } from 'node:dns';
import { LRUCache } from 'lru-cache';
import { FairSemaphore, NoPermit } from '../../runtime/fair-semaphore.ts';
import { NetworkFailure } from './failure.ts';
import { dnsLookup, type Lookup, systemLookup } from './resolve.ts';
import { tenantOf } from '../../domain/organisations/tenant.ts';

/** The result of a look-up: addresses found, no address, or no slot to look it up. */
export type NameOutcome = 'found' | 'failed' | 'no_turn';

export interface NamesOptions {
  /** For names from clients; DNS by default. */
  readonly lookup?: Lookup;
  /** For names from the operator; by default like the machine resolves. */
  readonly operatorsLookup?: Lookup;
  /** How long an answer is cached, in milliseconds; 5 s by default. */
  readonly keepMs?: number;
  /** How long a missing address is cached, in milliseconds; 1 s by default. */
  readonly keepFailureMs?: number;
  /** Time-out of a look-up, in milliseconds; 5 s by default. */
  readonly limitMs?: number;
  /** Maximum look-ups in flight for all Sites; 128 by default. */
  readonly atOnce?: number;
  /** Maximum look-ups in flight per share; 16 by default, more than the endpoints of a Site. */
  readonly perShare?: number;
  /** For metrics. */
  readonly observe?: (outcome: NameOutcome, seconds: number) => void;
}

export interface Question {
  readonly name: string;
  /** Whose share of look-ups is used: a Site's id stands for its organisation. */
  readonly share: string;
  /** Whether the operator vouches for the name. */
  readonly operators: boolean;
  /** Maximum wait for a slot, in milliseconds. */
  readonly turnMs: number;
  /** Called once the look-up no longer waits for a slot. */
  readonly onTurn: () => void;
  /** Ends the wait for the answer; its reason is the error. */
  readonly signal: AbortSignal;
}

/** Too many look-ups were in flight, so this one was not made. It says nothing about the name. */
export class NoTurn extends Error {
  override name = 'NoTurn';
}

type Answer = Promise<readonly LookupAddress[]>;

/** Limit of look-ups that occupy one of the few threads. */
const OPERATORS_AT_ONCE = 16;
/** Limits of waiting look-ups. Each question has its own maximum wait. */
const WAITING = { waiting: 8_192, tenantWaiting: 1_024, longestWaitMs: 5_000 } as const;

/**
 * Resolves names for all outgoing requests. Look-ups of the same name are coalesced, answers are cached for a few
 * seconds, and each share has a limit. The addresses are unchecked: the caller checks each before it connects, cached
 * or not (docs/spec/rulings.md, 7).
 */
export class Names {
  readonly #options: NamesOptions;
  readonly #clients: FairSemaphore;
  readonly #operators: FairSemaphore;
  readonly #kept = new LRUCache<string, Answer>({ max: 5_000 });
  readonly #inFlight = new Map<string, Answer>();
  /** Waiting look-ups; those of the same name and share are coalesced. */
  readonly #waiting = new Map<string, Promise<{ answer: Answer }>>();

  constructor(options: NamesOptions = {}) {
    const { atOnce = 128, perShare = 16 } = options;
    this.#options = options;
    this.#clients = new FairSemaphore({ permits: atOnce, tenantPermits: perShare, ...WAITING });
    this.#operators = new FairSemaphore({
      permits: OPERATORS_AT_ONCE,
      tenantPermits: OPERATORS_AT_ONCE,
      ...WAITING,
    });
  }

  /**
   * The addresses of a name; at least one.
   *
   * @throws NoTurn; NetworkFailure `dns` if the name has no address or the look-up timed out; the signal's reason
   */
  async resolve(question: Question): Answer {
    const { share, signal, onTurn, operators, name } = question;
    const key = `${operators ? 'operators' : 'dns'} ${name}`;
    let answer = this.#known(key);
    if (answer === undefined) {
      const waiting = `${share} ${key}`;
      const turn = this.#waiting.get(waiting) ?? this.#askInTurn(key, question);
      this.#waiting.set(waiting, turn);
      ({ answer } = await turn.finally(() => this.#waiting.delete(waiting)));
    }
    onTurn();
    return untilAborted(answer, signal);
  }

  /** A cached or pending answer. */
  #known(key: string): Answer | undefined {
    return this.#kept.get(key) ?? this.#inFlight.get(key);
  }

  async #askInTurn(key: string, { share, operators, turnMs, name }: Question): Promise<{ answer: Answer }> {
    const turns = operators ? this.#operators : this.#clients;
    const release = await turns
      .acquire(tenantOf(share), { longestWaitMs: turnMs })
      .catch((error: unknown) => {
        if (!(error instanceof NoPermit)) throw error;
        this.#options.observe?.('no_turn', turnMs / 1_000);
        throw new NoTurn(`no turn to look a name up within ${turnMs} ms`, { cause: error });
      });
    // Another share may have looked it up meanwhile.
    const known = this.#known(key);
    if (known !== undefined) {
      release();
      return { answer: known };
    }
    const asked = this.#ask(key, name, operators);
    // This may come after the answer: a look-up on a thread cannot be cancelled.
    void asked.over.then(release);
    return { answer: asked.answer };
  }

  /** @returns the answer, and `over`, which resolves once the look-up has released its slot */
  #ask(key: string, name: string, operators: boolean): { answer: Answer; over: Promise<unknown> } {
    const { lookup = dnsLookup(), operatorsLookup = systemLookup, observe } = this.#options;
    const { keepMs = 5_000, keepFailureMs = 1_000, limitMs = 5_000 } = this.#options;
    const begun = performance.now();
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new NetworkFailure('dns', `the name did not resolve within ${limitMs} ms`)),
      limitMs,
    );
    const asked = (operators ? operatorsLookup : lookup)(name, limit.signal);
    const answer = untilAborted(asked, limit.signal).then(
      (addresses) => {
        if (addresses.length === 0) throw new NetworkFailure('dns', 'the name has no address');
        return addresses;
      },
      (error: unknown) => {
        if (error instanceof NetworkFailure) throw error;
        const { code = '' } = error as NodeJS.ErrnoException;
        throw new NetworkFailure('dns', `the name did not resolve: ${code}`.slice(0, 200), { cause: error });
      },
    );
    this.#inFlight.set(key, answer);
    const settle = (outcome: 'found' | 'failed', forMs: number): void => {
      clearTimeout(timer);
      this.#inFlight.delete(key);
      if (forMs > 0) this.#kept.set(key, answer, { ttl: forMs });
      observe?.(outcome, (performance.now() - begun) / 1_000);
    };
    answer.then(
      () => settle('found', keepMs),
      () => settle('failed', keepFailureMs),
    );
    return { answer, over: Promise.allSettled([asked]) };
  }
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
