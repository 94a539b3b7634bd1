import type { AuditLogEntry } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { useSite } from '../../api/site.ts';

const LONGEST_GRACE_MS = 604_800_000;
const NEWEST = 100;

export interface KeyEvents {
  /** The ids of keys that a device got. */
  readonly devices: ReadonlySet<string>;
  /** When the old secret of a key stops working, by its id. */
  readonly graces: ReadonlyMap<string, number>;
}

const none: KeyEvents = { devices: new Set(), graces: new Map() };

/** The facts about keys that only the audit log has: which ones devices got, and whose old secrets still work. */
export function useKeyEvents(): KeyEvents {
  const { rights } = useSite();
  const { data } = useItem({
    key: ['keys', 'events'],
    enabled: rights.administers,
    load: async ({ auditLog }, options) => {
      const since = new Date(Date.now() - LONGEST_GRACE_MS).toISOString();
      const [created, rotated] = await Promise.all([
        auditLog.list({ action: 'key.create', limit: NEWEST }, options),
        auditLog.list({ action: 'key.rotate', since, limit: NEWEST }, options),
      ]);
      return { devices: devicesOf(created.items), graces: gracesOf(rotated.items) };
    },
  });
  return data ?? none;
}

const devicesOf = (entries: readonly AuditLogEntry[]): ReadonlySet<string> =>
  new Set(
    entries.flatMap(({ target, details }) =>
      typeof details['device_sign_in'] === 'string' && target?.id ? [target.id] : [],
    ),
  );

/** Entries are newest first, and the newest rotation decides: it shortens the graces before it. */
function gracesOf(entries: readonly AuditLogEntry[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const { at, target, details } of entries) {
    const id = target?.id;
    if (id && !ends.has(id)) ends.set(id, Date.parse(at) + Number(details['grace_seconds'] ?? 0) * 1_000);
  }
  return ends;
}
