import type { AuditAction } from '../../../domain/audit/actions.ts';
import type { Home } from '../home.ts';

/** A valid request of the Site's owner, with an effect. */
export interface ValidRequest {
  /** With its ids. */
  readonly path: string;
  readonly body?: object;
  /** Appears in the owner's answer, and in no other Site's. */
  readonly shows?: string;
  /**
   * The answer to another Site. By default 404 if the path has a parameter, else the operation's answer in that Site.
   */
  readonly elsewhere?: '404 NOT_FOUND' | '422 VALIDATION_FAILED' | 'OK';
  /** Belongs to the organisation, so all its Sites get the same answer. */
  readonly ofOrganisation?: true;
  /** The answer to an agent if not even an approval would allow it. */
  readonly agents?: '403 FORBIDDEN';
  /** The row that it leaves in the audit log; none for an exception (docs/spec/rulings.md, 14). */
  readonly audit?: AuditAction;
}

/** Creates what a request needs in its Site, by requests of its owner. */
export type Build = (home: Home) => ValidRequest | Promise<ValidRequest>;
