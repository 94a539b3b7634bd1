import type { ReactNode } from 'react';
import type { PipelineRun, PipelineStep } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import type { Stage } from '../../content/costs.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Button } from '../../ui/controls.ts';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { Sign } from '../../ui/sign.tsx';
import { isLive } from './run-sign.tsx';
import styles from './steps.module.css';
import { stepTexts } from './step-text.ts';
import { runTexts } from './text.ts';
import { useTitle } from './use-title.ts';

const REFRESH_MS = 4_000;

/** Each attempt at a stage of the run, oldest first. */
export function Steps({ run }: { readonly run: PipelineRun }): ReactNode {
  const text = useText(stepTexts);
  const list = useList({
    key: ['runs', { steps: run.id }],
    load: (presswork, page, options) => presswork.pipeline.listSteps(run.id, { ...page, limit: 20 }, options),
    refreshMs: isLive(run.status) && REFRESH_MS,
  });
  return (
    <>
      {list.error !== null && <ErrorNote error={list.error} retry={list.reload} />}
      {list.isLoading && <Loading />}
      {list.rows.length === 0 && !list.isLoading && list.error === null && <p>{text.none}</p>}
      <ol className={styles.steps}>
        {list.rows.map((step) => (
          <Step key={step.id} step={step} />
        ))}
      </ol>
      {list.hasMore && (
        <Button variant="default" loading={list.isLoadingMore} onClick={list.loadMore}>
          {text.more}
        </Button>
      )}
    </>
  );
}

function Step({ step }: { readonly step: PipelineStep }): ReactNode {
  const { stage, attempt, status, model, tokens, credits, error, prompt, answer } = step;
  const text = useText(stepTexts);
  const { stage: stageNames, untitled } = useText(runTexts);
  const format = useFormat();
  const title = useTitle(step.article_id, true) ?? untitled;
  const ms = new Date(step.finished_at).getTime() - new Date(step.started_at).getTime();
  const facts = [
    model,
    text.seconds(format.number(Math.round(ms / 100) / 10)),
    tokens && text.tokens(format.number(tokens.input), format.number(tokens.output)),
    text.credits(format.number(credits)),
  ].filter((fact) => fact !== null);
  return (
    <li>
      <h3>
        {text.attempt(stageNames[stage as Stage], attempt)} · <span dir="auto">{title}</span>
      </h3>
      <Sign tone={status === 'failed' ? 'bad' : 'good'}>
        {status === 'failed' ? text.failed : text.succeeded}
      </Sign>
      <p className={styles.facts}>{facts.join(' · ')}</p>
      {error !== null && <p dir="auto">{error.message}</p>}
      {(prompt !== null || answer !== null) && (
        <details>
          <summary>{text.texts}</summary>
          {prompt !== null && <CodeBlock title={text.prompt} code={prompt} />}
          {answer !== null && <CodeBlock title={text.answer} code={answer} />}
        </details>
      )}
    </li>
  );
}
