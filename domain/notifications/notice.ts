import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Actor } from '../audit/record.ts';
import type { Named, NotificationKind } from './kinds.ts';

/** Something that people are told of. */
export interface Notice {
  readonly kind: NotificationKind;
  /** The Site; null for what concerns a person, or the organisation as a whole. */
  readonly siteId: string | null;
  /** Whose people are told; by default the Site's. Left out for people of several organisations. */
  readonly organisationId?: string;
  /** Selects the ids of the members who are told, instead of those whom the kind names. */
  readonly to?: FragmentSqlToken;
  /** Who did it, and is not told; null for the product, or somebody outside. An agent's key is nobody. */
  readonly actor: Actor | null;
  readonly target: { readonly type: string; readonly id: string } | null;
  readonly named?: Named;
}
