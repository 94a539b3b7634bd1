import { findPendingEdit } from '../../domain/pending-edits/row.ts';
import { listScheduledEdits } from '../../domain/pending-edits/schedule.ts';
import { portsOf } from '../ports.ts';
import { dashboardRoute, requireMembership } from './route.ts';
import type { Asked } from './route.ts';

/** As many as a calendar can show. */
const SHOWN = 500;

/** The Site in the path and its share of the database. @throws ServiceError NOT_FOUND */
function shareOf(asked: Asked<unknown>) {
  const { organisationId } = requireMembership(asked);
  const id = asked.params['site'] ?? '';
  return { siteId: id, db: portsOf(asked.ports, { id, organisationId }).db };
}

/** Whether an article has a pending edit. The API answers 404 without one, which browsers report as an error. */
const exists = dashboardRoute({
  method: 'GET',
  path: '/sites/:site/articles/:article/pending-edit',
  async handle(asked) {
    const { db, siteId } = shareOf(asked);
    const edit = await findPendingEdit(db, siteId, asked.params['article'] ?? '');
    return { status: 200, data: { exists: edit !== null } };
  },
});

/** The pending edits that have a time, the next one first: the API has no list of them. */
const scheduled = dashboardRoute({
  method: 'GET',
  path: '/sites/:site/scheduled-edits',
  async handle(asked) {
    const { db, siteId } = shareOf(asked);
    const found = await listScheduledEdits(db, siteId, SHOWN + 1);
    const edits = found.slice(0, SHOWN).map(({ article_id, title, scheduled_at: at }) => ({
      article_id,
      title,
      scheduled_at: at.toISOString(),
    }));
    return { status: 200, data: { edits, is_cut: found.length > SHOWN } };
  },
});

export const pendingEditRoutes = [exists, scheduled];
