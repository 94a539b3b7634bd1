import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { PipelineRun, RunArticle } from '../../../sdk/src/index.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { Sign } from '../../ui/sign.tsx';
import { StatusBadge } from '../../content/status-badge.tsx';
import { RejectButton, Requeue } from './article-actions.tsx';
import styles from './run.module.css';
import { Stages } from './stages.tsx';
import { isLive } from './run-sign.tsx';
import { runTexts } from './text.ts';
import { useTitle } from './use-title.ts';

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
