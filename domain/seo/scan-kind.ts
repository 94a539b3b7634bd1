import type { Rule, ScanKindName } from './rules.ts';

/** The notes of a kind on a target: plain data, at most some kilobytes. */
export type Memo = Readonly<Record<string, unknown>>;

/** Something that a scan looks at: a page, an article or a link. */
export interface Target {
  /** Its identity within the scan, chosen by the kind, such as an id or a normalised URL. */
  readonly key: string;
  readonly url: string | null;
  readonly articleId: string | null;
  readonly memo: Memo;
}

/** A target to write down. */
export interface NewTarget extends Target {
  /**
   * Whether it is to be examined; if not, it is only known, such as a page of the sitemap that no page links to. If the
   * target is there already, its memo gets the members of this one, and a target that was only known is examined, too.
   */
  readonly examine: boolean;
}

/** A target as it was written down, with the notes on it since. */
export interface KnownTarget extends Target {
  /** By this scan, or by the one that it resumes. */
  readonly examined: boolean;
}

/** A fault that a kind has found. */
export interface Fault<K extends ScanKindName = ScanKindName> {
  readonly rule: Rule<K>;
  /** The subject of the fault: the key of an article, page or link; stable from scan to scan. */
  readonly subject: string;
  /** Its identity within the Site, its kind and its rule; stable from scan to scan. The subject if it is left out. */
  readonly key?: string;
  readonly url: string | null;
  readonly articleId: string | null;
  /** The evidence of the fault: small, and without anything secret. */
  readonly evidence: Readonly<Record<string, unknown>>;
}

/** What was looked at: a fault of these subjects and rules that was found earlier, but not now, is fixed. */
export interface LookedAt<K extends ScanKindName = ScanKindName> {
  readonly rules: readonly Rule<K>[];
  readonly subjects: readonly string[];
}

/** A scan, for its kind. */
export interface ScanWork {
  readonly scanId: string;
  readonly siteId: string;
  readonly parameters: ScanParameters;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
}

/** The members of the request that name the targets. */
export interface ScanParameters {
  readonly article_ids?: readonly string[] | undefined;
  readonly start_url?: string | undefined;
  readonly max_pages?: number | undefined;
}

export interface Planned {
  readonly targets: readonly NewTarget[];
  /** Where the next call of `plan` goes on; null if this was the last. */
  readonly next: string | null;
}

/** The result of some targets. */
export interface Examination<K extends ScanKindName = ScanKindName> {
  readonly faults: readonly Fault<K>[];
  readonly lookedAt: readonly LookedAt<K>[];
  /** Keys of targets that turned out not to be paid for, such as files, redirects and pages that robots.txt forbids. */
  readonly uncounted?: readonly string[];
  /** Keys of targets that were not looked at yet; the next step gets them again. Never all of them. */
  readonly postponed?: readonly string[];
  /** The notes on the targets, by their keys. */
  readonly memos?: ReadonlyMap<string, Memo>;
  /** What was found to be looked at as well, such as the pages that a page links to. */
  readonly newTargets?: readonly NewTarget[];
}

/**
 * How scans of a kind are done. Every method may be called again for the same work, if the process dies before its
 * result is stored. An error means that it could not look, and is tried again; what strangers wrote or answered is
 * never an error, but a fault or nothing.
 */
export interface ScanKind<K extends ScanKindName = ScanKindName> {
  readonly name: K;
  /** Says what is to be looked at, in parts of at most 1,000 targets. @param after null at first */
  plan(work: ScanWork, after: string | null): Promise<Planned>;
  /** Looks at the next targets, at most a unit of them; the unit is paid for. */
  examine(work: ScanWork, targets: readonly Target[]): Promise<Examination<K>>;
  /**
   * Finds the faults that only show once every target is examined, such as pages with the same title. It costs nothing,
   * and is left out if the scan ends early.
   *
   * @param targets all of the scan, in their order
   */
  conclude?(work: ScanWork, targets: AsyncIterable<KnownTarget>): Promise<Examination<K>>;
}

export type ScanKinds = { readonly [K in ScanKindName]: ScanKind<K> };
