import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useItem } from '../../api/item.ts';
import { isMissing } from '../../api/queries.ts';
import { bulkJobsOf, forgetBulkJob } from '../../content/bulk-jobs.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { ButtonLink } from '../../ui/links.ts';
import { EmptyState, ErrorNote } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import styles from './screen.module.css';
import { JobStatus, useJobName } from './status.tsx';
import { screenTexts } from './text.ts';

/** The bulk jobs of this browser. */
export function Screen(): ReactNode {
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  const [ids, setIds] = useState(() => bulkJobsOf(siteId));
  const forget = (id: string): void => {
    forgetBulkJob(siteId, id);
    setIds(bulkJobsOf(siteId));
  };
  return (
    <Page title={text.all} about={text.allAbout} width="narrow">
      {ids.length === 0 ? (
        <EmptyState
          title={text.none}
          action={
            <ButtonLink variant="default" to="/$siteId/articles" params={{ siteId }}>
              {text.articles}
            </ButtonLink>
          }
        >
          {text.noneAbout}
        </EmptyState>
      ) : (
        <ul className={styles.jobs}>
          {ids.map((id) => (
            <Job key={id} id={id} onForget={() => forget(id)} />
          ))}
        </ul>
      )}
    </Page>
  );
}

function Job({ id, onForget }: { readonly id: string; readonly onForget: () => void }): ReactNode {
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  const nameOf = useJobName();
  const { data: job, error } = useItem({
    key: ['bulk', id],
    load: (presswork, options) => presswork.articles.getBulkJob(id, options),
  });
  if (isMissing(error))
    return (
      <li>
        <span>{text.gone}</span>
        <Button size="xs" variant="default" onClick={onForget}>
          {text.forget}
        </Button>
      </li>
    );
  if (error !== null) return <ErrorNote error={error} />;
  return (
    <li>
      <Link to="/$siteId/bulk/$jobId" params={{ siteId, jobId: id }}>
        {job === undefined ? text.title : nameOf(job)}
      </Link>
      {job !== undefined && (
        <>
          <JobStatus job={job} />
          <RelativeTime time={job.created_at} />
        </>
      )}
    </li>
  );
}
