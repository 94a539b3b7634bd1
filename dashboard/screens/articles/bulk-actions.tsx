import { useState } from 'react';
import type { ReactNode } from 'react';
import type { BulkRequest } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { Button, Menu } from '../../ui/controls.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import styles from './bulk-actions.module.css';
import { BulkProgress } from './bulk-progress.tsx';
import { bulkTexts } from './bulk-text.ts';
import type { Row } from './row.ts';

const ScheduleDialog = onDemand(async () => (await import('./schedule-dialog.tsx')).ScheduleDialog);
const PushDialog = onDemand(async () => (await import('../delivery/push-dialog.tsx')).PushDialog);
const BulkDialog = onDemand(async () => (await import('./bulk-dialog.tsx')).BulkDialog);

const MOST = 500;
const MOST_PUSHED = 100;
/** In the menu. These ask for something first, as `unpublish` does. */
const asking = ['schedule', 'set_category', 'set_author', 'add_tags', 'remove_tags', 'delete'] as const;
type Asking = (typeof asking)[number] | 'unpublish';

export interface BulkActionsProps {
  /** The selected ones. */
  readonly articles: readonly Row[];
  /** The selection has been taken over by a job. */
  readonly onDone: () => void;
}

/** The actions on all selected articles, and their progress. */
export function BulkActions({ articles, onDone }: BulkActionsProps): ReactNode {
  const { rights } = useSite();
  const text = useText(bulkTexts);
  const [isPushing, setPushing] = useState(false);
  const [asked, setAsked] = useState<Asking | null>(null);
  const [job, setJob] = useState<{ id: string; titles: ReadonlyMap<string, string | null> } | null>(null);
  const start = useChange({
    send: (presswork, request: BulkRequest, options) => presswork.articles.startBulkJob(request, options),
    touches: ['articles'],
    errors: asked === null ? 'notice' : 'here',
    onDone: ({ id }) => {
      setJob({ id, titles: new Map(articles.map(({ id, title }) => [id, title])) });
      setAsked(null);
      onDone();
    },
  });
  const request = (what: Omit<BulkRequest, 'article_ids'>): BulkRequest => ({
    ...what,
    article_ids: articles.map(({ id }) => id),
  });
  const ask = (action: Asking): void => {
    start.reset();
    setAsked(action);
  };
  const count = articles.length;
  const isTooMany = count > MOST;
  return (
    <>
      {job !== null && <BulkProgress key={job.id} {...job} onClose={() => setJob(null)} />}
      {count > 0 && (
        <section className={styles.bar} aria-label={text.label}>
          <p role="status">{isTooMany ? text.tooMany : text.selected(count)}</p>
          {rights.publishes && (
            <>
              <Button
                size="xs"
                disabled={isTooMany}
                onClick={() => start.mutate(request({ action: 'publish' }))}
              >
                {text.publish}
              </Button>
              <Button size="xs" variant="default" disabled={isTooMany} onClick={() => ask('unpublish')}>
                {text.unpublish}
              </Button>
            </>
          )}
          <Menu position="top-end">
            <Menu.Target>
              <Button size="xs" variant="default" disabled={isTooMany}>
                {text.more}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {asking
                .filter((action) => rights.publishes || action !== 'schedule')
                .map((action) => (
                  <Menu.Item
                    key={action}
                    color={action === 'delete' ? 'red' : undefined}
                    onClick={() => ask(action)}
                  >
                    {text[action]}
                  </Menu.Item>
                ))}
              {rights.can('pipeline:run') && (
                <Menu.Item disabled={count > MOST_PUSHED} onClick={() => setPushing(true)}>
                  {text.push}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
          <Button size="xs" variant="subtle" onClick={onDone}>
            {text.clear}
          </Button>
        </section>
      )}
      {isPushing && (
        <PushDialog articleIds={articles.map(({ id }) => id)} onClose={() => setPushing(false)} />
      )}
      {asked === 'schedule' && (
        <ScheduleDialog
          onClose={() => setAsked(null)}
          onSchedule={(at) => start.mutate(request({ action: 'schedule', scheduled_publish_at: at }))}
          isPending={start.isPending}
          error={start.error}
        />
      )}
      {asked !== null && asked !== 'schedule' && asked !== 'unpublish' && asked !== 'delete' && (
        <BulkDialog
          action={asked}
          count={count}
          onClose={() => setAsked(null)}
          onApply={(what) => start.mutate(request(what))}
          isPending={start.isPending}
          error={start.error}
        />
      )}
      <ConfirmDialog
        opened={asked === 'unpublish'}
        onClose={() => setAsked(null)}
        title={text.unpublishTitle(count)}
        action={text.unpublishNow(count)}
        danger
        onConfirm={() => start.mutateAsync(request({ action: 'unpublish' }))}
      >
        {text.unpublishAbout}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'delete'}
        onClose={() => setAsked(null)}
        title={text.deleteTitle(count)}
        action={text.deleteNow(count)}
        danger
        onConfirm={() => start.mutateAsync(request({ action: 'delete' }))}
      >
        {text.deleteAbout}
      </ConfirmDialog>
    </>
  );
}
