import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useParams } from '@tanstack/react-router';
import type { BulkJob } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useItem } from '../../api/item.ts';
import { rememberBulkJob } from '../../content/bulk-jobs.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { AskingButton } from '../../ui/asking-button.tsx';
import { Progress } from '../../ui/controls.ts';
import { Loading } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { Unread } from '../../ui/unread.tsx';
import { Items } from './items.tsx';
import styles from './screen.module.css';
import { JobStatus, useJobName } from './status.tsx';
import { screenTexts } from './text.ts';

const POLL_MS = 1_000;

/** One bulk job: its progress, and the result of each article. */
export function Screen(): ReactNode {
  const { jobId } = useParams({ from: '/$siteId/bulk/$jobId' });
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  const nameOf = useJobName();
  const {
    data: job,
    error,
    refetch,
  } = useItem({
    key: ['bulk', jobId],
    load: (presswork, options) => presswork.articles.getBulkJob(jobId, options),
    refreshMs: (job) => (job?.finished_at ? false : POLL_MS),
  });
  const exists = job !== undefined;
  useEffect(() => {
    if (exists) rememberBulkJob(siteId, jobId);
  }, [exists, siteId, jobId]);
  const list = { label: text.all, to: `/${siteId}/bulk` };
  return (
    <Page
      title={job === undefined ? text.title : nameOf(job)}
      crumbs={[list]}
      actions={job !== undefined && !job.finished_at && <Cancel job={job} />}
    >
      {error !== null && <Unread error={error} retry={() => void refetch()} back={list} />}
      {job === undefined && error === null && <Loading />}
      {job !== undefined && (
        <>
          <State job={job} />
          <Items job={job} />
        </>
      )}
    </Page>
  );
}

function State({ job }: { readonly job: BulkJob }): ReactNode {
  const text = useText(screenTexts);
  const { done, failed, waiting } = job.totals;
  const worked = done + failed;
  return (
    <div className={styles.state}>
      <div role="status" className={styles.line}>
        <JobStatus job={job} />
        <span>{text.totals(done, failed, waiting)}</span>
      </div>
      <Progress
        value={(100 * worked) / job.items.length}
        aria-label={text.progress(worked, job.items.length)}
      />
      <p className={styles.times}>
        {text.started}: <RelativeTime time={job.created_at} />
        {job.finished_at !== null && (
          <>
            {' · '}
            {text.ended}: <RelativeTime time={job.finished_at} />
          </>
        )}
      </p>
    </div>
  );
}

function Cancel({ job }: { readonly job: BulkJob }): ReactNode {
  const { rights } = useSite();
  const text = useText(screenTexts);
  const cancel = useChange({
    send: (presswork) => presswork.articles.cancelBulkJob(job.id),
    touches: ['bulk'],
    done: () => text.cancelled,
    errors: 'here',
  });
  return (
    rights.can('articles:write') && (
      <AskingButton
        title={text.cancelTitle}
        action={text.cancel}
        danger
        onConfirm={() => cancel.mutateAsync()}
      >
        {text.cancelAbout}
      </AskingButton>
    )
  );
}
