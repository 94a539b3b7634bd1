import { keyAlone, keysOfMember, listSchedulesOf } from '../../../domain/articles/schedules-of.ts';
import type { Schedule } from '../../../domain/articles/schedules-of.ts';
import type { FragmentSqlToken } from '../../../db/sql.ts';
import type { Permission } from '../../../domain/access/permissions.ts';
import { dashboardRoute, requirePermission, requireSite } from './route.ts';

/** As many as a dialog can show. */
const SHOWN = 100;

const presentSchedule = ({ article_id, kind, title, at, site_id, site_name }: Schedule) => ({
  article_id,
  kind,
  title,
  at: at.toISOString(),
  site: { id: site_id, name: site_name },
});

/** What stays scheduled when a key or a member goes (docs/spec/rulings.md, 23, Revocation ends what was queued). */
const schedules = (path: string, permission: Permission, keysOf: (id: string) => FragmentSqlToken) =>
  dashboardRoute({
    method: 'GET',
    path,
    async handle(asked) {
      const { by, ports } = requireSite(asked);
      requirePermission(by, permission);
      const keys = keysOf(asked.params['id'] ?? '');
      const found = await listSchedulesOf(ports.db, by.organisationId, keys, SHOWN + 1);
      const data = { schedules: found.slice(0, SHOWN).map(presentSchedule), is_cut: found.length > SHOWN };
      return { status: 200, data };
    },
  });

export const scheduleRoutes = [
  schedules('/sites/:site/keys/:id/schedules', 'api_keys.manage', keyAlone),
  schedules('/sites/:site/members/:id/schedules', 'team.manage', keysOfMember),
];
