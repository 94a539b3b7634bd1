import { LRUCache } from 'lru-cache';
import type { FailureCause } from '../http/failure.ts';
import type { InHelpers } from '../jobs/job.ts';
import type * as jobs from './jobs.ts';
import { requestInTurn } from './visit.ts';
import type { VisitOptions, VisitPorts } from './visit.ts';

/** 500 KiB (RFC 9309, 2.5); the rest is not read. */
const FILE_BYTES = 500 * 1024;
/** Redirects of a robots.txt that are followed (RFC 9309, 2.3.1.2). */
const MOST_HOPS = 5;
const TIMEOUT_MS = 10_000;
/** For a file with all its redirects, without the waits for turns. */
const FILE_MS = 20_000;
/** A day (RFC 9309, 2.4); an unreadable file is asked for again sooner. */
const KEPT_MS = 24 * 3_600_000;
const KEPT_UNREACHABLE_MS = 10 * 60_000;
const MOST_KEPT = 5_000;
const KEPT_BYTES = 32 * 2 ** 20;

/** The jobs that read what other hosts answered. */
export type PageJobs = InHelpers<
  Pick<typeof jobs, 'mayVisit' | 'sitemapsOf' | 'readPage' | 'readLinks' | 'readSitemap'>
>;

/** Rules to be read, or the rule for every address of the host. */
type RobotsFile =
  | { readonly bytes: Buffer }
  | 'allows everything'
  | 'forbids everything'
  /** The host cannot be asked, for anything. */
  | { readonly unreachable: FailureCause };

/** The files robots.txt of hosts, as long as they may be relied on. */
export class RobotsFiles {
  readonly #ports: VisitPorts;
  readonly #read: PageJobs;
  readonly #kept = new LRUCache<string, RobotsFile>({
    max: MOST_KEPT,
    maxSize: KEPT_BYTES,
    sizeCalculation: (file) => 100 + (typeof file !== 'string' && 'bytes' in file ? file.bytes.length : 0),
  });
  readonly #asked = new Map<string, Promise<RobotsFile>>();

  constructor(ports: VisitPorts, read: PageJobs) {
    this.#ports = ports;
    this.#read = read;
  }

  /** Whether an address may be fetched, or why its host cannot be asked. @throws TooBusy */
  async allows(url: URL, options: VisitOptions): Promise<boolean | FailureCause> {
    const file = await this.#fileOf(url, options);
    if (typeof file === 'string') return file === 'allows everything';
    if ('unreachable' in file) return file.unreachable;
    const input = { bytes: file.bytes, url: url.href };
    return this.#read.mayVisit(options.siteId, input, options.signal);
  }

  /** The sitemaps that a host's file names. @throws TooBusy */
  async sitemaps(url: URL, options: VisitOptions): Promise<readonly string[]> {
    const file = await this.#fileOf(url, options);
    if (typeof file === 'string' || 'unreachable' in file) return [];
    return this.#read.sitemapsOf(options.siteId, { bytes: file.bytes }, options.signal);
  }

  async #fileOf({ origin }: URL, options: VisitOptions): Promise<RobotsFile> {
    const known = this.#kept.get(origin);
    if (known !== undefined) return known;
    // Scans that ask at the same time share one request, so none may abort it.
    const asked = this.#asked.get(origin) ?? this.#ask(origin, options);
    this.#asked.set(origin, asked);
    try {
      return await asked;
    } finally {
      this.#asked.delete(origin);
      options.signal.throwIfAborted();
    }
  }

  async #ask(origin: string, { siteId }: VisitOptions): Promise<RobotsFile> {
    const file = await this.#fetch(new URL('/robots.txt', origin), siteId);
    this.#kept.set(origin, file, { ttl: isUnknown(file) ? KEPT_UNREACHABLE_MS : KEPT_MS });
    return file;
  }

  /** Without a file everything is allowed; if that cannot be known, nothing is (RFC 9309, 2.3.1). */
  async #fetch(address: URL, siteId: string): Promise<RobotsFile> {
    let url = address;
    let leftMs = FILE_MS;
    for (let hops = 0; hops <= MOST_HOPS; hops += 1) {
      if (leftMs <= 0) return 'forbids everything';
      const result = await requestInTurn(this.#ports, url, {
        siteId,
        read: true,
        signal: new AbortController().signal,
        timeoutMs: Math.min(TIMEOUT_MS, leftMs),
        maxBytes: FILE_BYTES,
      });
      leftMs -= result.durationMs;
      if (result.outcome === 'failure')
        return hops === 0 ? { unreachable: result.error } : 'forbids everything';
      const { status, headers, body = Buffer.alloc(0) } = result;
      if (status >= 200 && status <= 299) return body.length === 0 ? 'allows everything' : { bytes: body };
      if (status >= 500) return 'forbids everything';
      const next = status >= 300 && status <= 399 ? URL.parse(headers['location'] ?? '', url.href) : null;
      if (next === null) return 'allows everything';
      url = next;
    }
    return 'allows everything';
  }
}

const isUnknown = (file: RobotsFile): boolean =>
  file === 'forbids everything' || (typeof file !== 'string' && 'unreachable' in file);
