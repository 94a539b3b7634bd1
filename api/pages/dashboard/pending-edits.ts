import { findPendingEdit } from '../../../domain/pending-edits/row.ts';
import { listScheduledEdits } from '../../../domain/pending-edits/schedule.ts';
import { dashboardRoute, requireSite } from './route.ts';

/** As many as a calendar can show. */
const SHOWN = 500;

/** Whether an article has a pending edit. The API answers 404 without one, which browsers report as an error. */
const exists = dashboardRoute({
  method: 'GET',
  path: '/sites/:site/articles/:article/pending-edit',
  async handle(asked) {
    const { ports, siteId } = requireSite(asked);
    const edit = await findPendingEdit(ports.db, siteId, asked.params['article'] ?? '');
    return { status: 200, data: { exists: edit !== null } };
  },
});

/** The pending edits that have a time, the next one first: the API has no list of them. */
const scheduled = dashboardRoute({
  method: 'GET',
  path: '/sites/:site/scheduled-edits',
  async handle(asked) {
    const { ports, siteId } = requireSite(asked);
    const found = await listScheduledEdits(ports.db, siteId, SHOWN + 1);
    const edits = found.slice(0, SHOWN).map(({ article_id, title, scheduled_at: at }) => ({
      article_id,
      title,
      scheduled_at: at.toISOString(),
    }));
    return { status: 200, data: { edits, is_cut: found.length > SHOWN } };
  },
});

export const pendingEditRoutes = [exists, scheduled];
