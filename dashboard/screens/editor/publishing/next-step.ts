import { useSite } from '../../../api/site.ts';
import { useSaving } from '../article/use-article.ts';
import { isUnsaved } from '../saving/save-state.ts';

export type NextStep = 'publish' | 'changeSchedule' | 'publishChanges';

const publishable = ['draft', 'generated', 'needs_improvement', 'needs_images', 'queued'];

/** What would lead to the readers; null if everything is with them, or if it is not for this person to do. */
export function useNextStep(): NextStep | null {
  const { rights } = useSite();
  const status = useSaving(({ base }) => base.lifecycle.status);
  const hasEdit = useSaving(({ base }) => base.target === 'pending' && base.etag !== null);
  // Just typed text becomes an edit as soon as it is saved.
  const isTyped = useSaving(isUnsaved);
  if (!rights.can('articles:write') || !rights.publishes) return null;
  if (status === 'scheduled') return 'changeSchedule';
  if (status === 'published') return hasEdit || isTyped ? 'publishChanges' : null;
  return publishable.includes(status) ? 'publish' : null;
}
