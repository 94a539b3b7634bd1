import { kinds } from './kinds.ts';
import type { Language, Named, NotificationKind } from './kinds.ts';
import type { Notification } from './notification.ts';

/** What a kind says. One that this version does not know, written by a newer one, says its name. */
export const textOf = (kind: string, named: Named, language: Language): string =>
  Object.hasOwn(kinds, kind) ? kinds[kind as NotificationKind].text[language](named) : kind;

/** The same for everybody who reads a channel. */
export function textToAll(kind: string, named: Named, language: Language): string {
  const say = Object.hasOwn(kinds, kind) ? kinds[kind as NotificationKind].toAll : undefined;
  return say === undefined ? textOf(kind, named, language) : say[language](named);
}

const screenOf = (kind: string, id: string | null): string =>
  Object.hasOwn(kinds, kind) ? kinds[kind as NotificationKind].screen(id) : '';

/** Where the dashboard shows it. @param siteId its Site, or one through which its person comes in */
export const addressOf = (
  publicUrl: string,
  siteId: string,
  { kind, target_id: id }: Pick<Notification, 'kind' | 'target_id'>,
): string => `${publicUrl}/dashboard/${siteId}/${screenOf(kind, id)}`;

/** @param siteId of the key that asks */
export const presentNotification = (row: Notification, publicUrl: string, siteId: string) => ({
  id: row.id,
  kind: row.kind,
  text: textOf(row.kind, row.details, row.language),
  target: row.target_type === null ? null : { type: row.target_type, id: row.target_id },
  url: addressOf(publicUrl, row.site_id ?? siteId, row),
  created_at: row.created_at.toISOString(),
  read_at: row.read_at?.toISOString() ?? null,
});
