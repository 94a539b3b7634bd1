import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { PipelineRun, RunArticle } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { Sign } from '../../ui/sign.tsx';
import { StatusBadge } from '../../content/status-badge.tsx';
import styles from './run.module.css';
import { Stages } from './stages.tsx';
import { isLive } from './run-sign.tsx';
import { stepTexts } from './step-text.ts';
import { runTexts } from './text.ts';
import { useTitle } from './use-title.ts';

const Reject = onDemand(async () => (await import('./reject.tsx')).Reject);

/** Each title is a request of its own, so that only some are shown at first. */
const SHOWN = 20;

/** The articles of the run, with their progress and links. */
export function RunArticles({ run }: { readonly run: PipelineRun }): ReactNode {
  const text = useText(runTexts);
  const [all, setAll] = useState(false);
  const shown = all ? run.articles : run.articles.slice(0, SHOWN);
  return (
    <section>
      <h2 className={styles.heading}>{text.articles}</h2>
      <ul className={styles.articles}>
        {shown.map((article) => (
          <Article key={article.article_id} article={article} isHeld={isLive(run.status)} />
        ))}
      </ul>
      {shown.length < run.articles.length && (
        <Button variant="default" onClick={() => setAll(true)}>
          {text.all(run.articles.length)}
        </Button>
      )}
    </section>
  );
}

interface ArticleProps {
  readonly article: RunArticle;
  /** A run may be working on it. */
  readonly isHeld: boolean;
}

function Article({ article, isHeld }: ArticleProps): ReactNode {
  const { article_id: articleId, status, stage, error } = article;
  const { id: siteId } = useSite();
  const text = useText(runTexts);
  const title = useTitle(articleId, status !== null) ?? text.untitled;
  return (
    <li>
      <div className={styles.article}>
        {status === null ? (
          <span>{text.deleted}</span>
        ) : (
          <Link to="/$siteId/articles/$articleId" params={{ siteId, articleId }} dir="auto">
            {title}
          </Link>
        )}
        {error !== null && (
          <p className={styles.problem}>
            <Sign tone="bad">
              <span dir="auto">{error}</span>
            </Sign>
          </p>
        )}
      </div>
      <Stages done={stage} />
      <span className={styles.status}>{status !== null && <StatusBadge status={status} />}</span>
      <span className={styles.actions}>
        <Requeue articleId={articleId} status={status} title={title} />
        {!isHeld && <RejectButton articleId={articleId} status={status} title={title} />}
      </span>
    </li>
  );
}

const requeueable = new Set<string | null>(['failed', 'rejected', 'skipped', 'needs_improvement']);

interface RequeueProps {
  readonly articleId: string;
  readonly status: string | null;
  readonly title: string;
}

function Requeue({ articleId, status, title }: RequeueProps): ReactNode {
  const { rights } = useSite();
  const text = useText(runTexts);
  const requeue = useChange({
    send: (presswork) => presswork.pipeline.requeueArticle(articleId),
    touches: ['runs', 'articles'],
    done: () => text.requeued,
  });
  if (!rights.can('pipeline:run') || !requeueable.has(status)) return null;
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={text.requeueOf(title)}
      loading={requeue.isPending}
      onClick={() => requeue.mutate()}
    >
      {text.requeue}
    </Button>
  );
}

/** The statuses that are not the pipeline's, and the one that a rejection leads to. */
const unrejectable = new Set<string | null>(['draft', 'scheduled', 'published', 'rejected', null]);

function RejectButton({ articleId, status, title }: RequeueProps): ReactNode {
  const { rights } = useSite();
  const text = useText(stepTexts);
  const [asking, setAsking] = useState(false);
  if (!rights.can('pipeline:run') || unrejectable.has(status)) return null;
  return (
    <>
      <Button size="xs" variant="default" aria-label={text.rejectOf(title)} onClick={() => setAsking(true)}>
        {text.reject}
      </Button>
      {asking && <Reject articleId={articleId} title={title} onClose={() => setAsking(false)} />}
    </>
  );
}
