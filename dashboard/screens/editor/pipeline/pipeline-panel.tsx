import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { PipelineArticle } from '../../../../sdk/src/index.ts';
import { useItem } from '../../../api/item.ts';
import { useSite } from '../../../api/site.ts';
import { ArticleName } from '../../../content/article-name.tsx';
import type { Stage } from '../../../content/costs.ts';
import { StatusBadge } from '../../../content/status-badge.tsx';
import { useText } from '../../../text/texts.ts';
import { ErrorNote, Loading } from '../../../ui/notes.tsx';
import { Sign } from '../../../ui/sign.tsx';
import type { Tone } from '../../../ui/sign.tsx';
import { RelativeTime } from '../../../ui/times.tsx';
import { RejectButton, Requeue } from '../../runs/article-actions.tsx';
import type { Around } from '../../runs/reject.tsx';
import { runTexts } from '../../runs/text.ts';
import { useSaving, useSession } from '../article/use-article.ts';
import styles from '../review/review.module.css';
import { screenTexts } from '../text.ts';
import { Suggestions } from './suggestions.tsx';
import { pipelineTexts } from './text.ts';
import own from './pipeline.module.css';

const REFRESH_MS = 4_000;

const isRunning = ({ stages }: PipelineArticle): boolean => stages.some(({ status }) => status === 'running');

/** What the pipeline knows of the article, and what it proposes. */
export function PipelinePanel(): ReactNode {
  const id = useSaving(({ base }) => base.id) ?? '';
  const { data, error, refetch } = useItem({
    key: ['runs', 'article', id],
    load: (presswork, options) => presswork.pipeline.getArticle(id, options),
    refreshMs: (read) => read !== undefined && isRunning(read) && REFRESH_MS,
  });
  if (data === undefined)
    return error === null ? <Loading /> : <ErrorNote error={error} retry={() => void refetch()} />;
  return (
    <>
      <Standing state={data} />
      <Suggestions of={data.suggestions} />
      <Outline outline={data.outline} />
      <Stages stages={data.stages} />
    </>
  );
}

function Standing({ state }: { readonly state: PipelineArticle }): ReactNode {
  const { article_id: articleId, status, score, duplicate_of: duplicate, rejected } = state;
  const text = useText(pipelineTexts);
  const { untitled } = useText(screenTexts);
  const { saver } = useSession();
  const title = useSaving(({ mine }) => mine.title) ?? untitled;
  const around: Around = async (act) => {
    await saver.flush();
    await act();
    await saver.refresh();
  };
  const actions = { articleId, status, title, around };
  return (
    <section className={styles.block}>
      <p className={styles.row}>
        <StatusBadge status={status} />
        {score !== null && <span>{text.score(score)}</span>}
      </p>
      {duplicate !== null && (
        <p>
          {text.duplicate}
          <ArticleName id={duplicate} isNamed />
        </p>
      )}
      {rejected !== null && (
        <p>
          {rejected.by !== null && <span dir="auto">{text.rejectedBy(rejected.by.name)} · </span>}
          <RelativeTime time={rejected.at} />
          {rejected.reason !== null && <span dir="auto"> · {rejected.reason}</span>}
        </p>
      )}
      <div className={styles.row}>
        <Requeue {...actions} />
        {!isRunning(state) && <RejectButton {...actions} />}
      </div>
    </section>
  );
}

function Outline({ outline }: Pick<PipelineArticle, 'outline'>): ReactNode {
  const text = useText(pipelineTexts);
  if (outline === null) return null;
  return (
    <details className={styles.block}>
      <summary>{text.outline}</summary>
      <ol className={own.outline}>
        {outline.sections.map(({ heading, points }, index) => (
          <li key={index} dir="auto">
            {heading}
            <ul>
              {points.map((point, at) => (
                <li key={at}>{point}</li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </details>
  );
}

const tones: Readonly<Record<string, Tone>> = { succeeded: 'good', failed: 'bad', running: 'busy' };

function Stages({ stages }: Pick<PipelineArticle, 'stages'>): ReactNode {
  const text = useText(pipelineTexts);
  const { stage: names } = useText(runTexts);
  const { id: siteId } = useSite();
  return (
    <section className={styles.block}>
      <h2>{text.stages}</h2>
      {stages.length === 0 && <p>{text.noStages}</p>}
      <ol className={styles.threads}>
        {stages.map(({ stage, status, run_id: runId, finished_at: time }) => (
          <li key={stage} className={styles.row}>
            <span>{names[stage as Stage] ?? stage}</span>
            <Sign tone={tones[status] ?? 'quiet'}>
              {text.status[status as keyof typeof text.status] ?? status}
            </Sign>
            {time !== null && <RelativeTime time={time} />}
            <Link
              to="/$siteId/runs/$runId"
              params={{ siteId, runId }}
              hash="steps"
              aria-label={text.stepsOf(names[stage as Stage] ?? stage)}
            >
              {text.steps}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
