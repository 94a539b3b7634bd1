import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { BulkJob } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useItem } from '../../api/item.ts';
import { rememberBulkJob } from '../../content/bulk-jobs.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Button, Progress } from '../../ui/controls.ts';
import { ButtonLink } from '../../ui/links.ts';
import { ErrorNote } from '../../ui/notes.tsx';
import styles from './bulk-actions.module.css';
import { bulkTexts } from './bulk-text.ts';

const POLL_MS = 1_000;

export interface BulkProgressProps {
  readonly id: string;
  /** Of the articles of the job, which the job itself does not have. */
  readonly titles: ReadonlyMap<string, string | null>;
  readonly onClose: () => void;
}

/** A bulk job while it runs, and the refused articles. */
export function BulkProgress({ id, titles, onClose }: BulkProgressProps): ReactNode {
  const site = useSite();
  const client = useQueryClient();
  const text = useText(bulkTexts);
  const { data: job, error } = useItem({
    key: ['bulk', id],
    load: (presswork, options) => presswork.articles.getBulkJob(id, options),
    refreshMs: (job) => (job?.finished_at ? false : POLL_MS),
  });
  const stop = useChange({ send: (presswork) => presswork.articles.cancelBulkJob(id), touches: ['bulk'] });
  useEffect(() => rememberBulkJob(site.id, id), [site.id, id]);
  const done = job === undefined ? 0 : job.totals.done + job.totals.failed;
  const isFinished = Boolean(job?.finished_at);
  useEffect(() => {
    void client.invalidateQueries({ queryKey: [site.id, 'articles', 'list'] });
  }, [client, site.id, done, isFinished]);
  if (job === undefined) return error !== null && <ErrorNote error={error} />;
  return (
    <section className={styles.progress} aria-label={text.running}>
      <p role="status">{summary(job, text)}</p>
      {!isFinished && (
        <Progress
          value={(100 * done) / job.items.length}
          aria-label={text.progress(done, job.items.length)}
          transitionDuration={200}
        />
      )}
      {isFinished && <Refusals job={job} nameOf={(id) => titles.get(id) ?? text.another} />}
      <div className={styles.buttons}>
        {!isFinished && (
          <Button size="xs" variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
            {text.stop}
          </Button>
        )}
        <ButtonLink
          size="xs"
          variant="default"
          to="/$siteId/bulk/$jobId"
          params={{ siteId: site.id, jobId: id }}
        >
          {text.details}
        </ButtonLink>
        {isFinished && (
          <Button size="xs" variant="subtle" onClick={onClose}>
            {text.close}
          </Button>
        )}
      </div>
    </section>
  );
}

type BulkText = ReturnType<typeof useText<(typeof bulkTexts)['en']>>;

function summary({ status, totals, items }: BulkJob, text: BulkText): string {
  const { done, failed, waiting } = totals;
  if (status === 'cancelled') return text.stopped(done + failed, waiting);
  if (status === 'completed') return text.finished(done, failed);
  if (status === 'queued') return text.queued;
  return `${text.running} ${text.progress(done + failed, items.length)}`;
}

const Refusals = ({
  job,
  nameOf,
}: {
  readonly job: BulkJob;
  readonly nameOf: (id: string) => string;
}): ReactNode => {
  const refused = job.items.filter(({ error }) => error !== null);
  return (
    refused.length > 0 && (
      <ul>
        {refused.map(({ article_id: id, error }) => (
          <li key={id}>
            <strong dir="auto">{nameOf(id)}</strong>: {error?.message}
          </li>
        ))}
      </ul>
    )
  );
};
