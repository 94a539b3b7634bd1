import type { ReactNode } from 'react';
import type { PipelineRun } from '../../../sdk/src/index.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Progress } from '../../ui/controls.ts';
import { TextLink } from '../../ui/links.ts';
import { RunSign } from './run-sign.tsx';
import styles from './run.module.css';
import { stepTexts } from './step-text.ts';
import { runTexts, screenTexts } from './text.ts';

/** Status, progress and cost of a run, and why it ended early. */
export function RunSummary({ run }: { readonly run: PipelineRun }): ReactNode {
  const { totals } = run;
  const list = useText(screenTexts);
  const text = useText(runTexts);
  const { tokens: tokensOf } = useText(stepTexts);
  const format = useFormat();
  const time = (at: string | null): string => (at === null ? text.notYet : format.dateTime(at));
  const { tokens } = run;
  const facts = [
    [text.facts.credits, format.number(run.credits_spent)],
    [text.facts.writer, text.writers[run.writer as keyof typeof text.writers] ?? run.writer],
    [text.facts.started, time(run.started_at)],
    [text.facts.finished, time(run.finished_at)],
    ...(tokens === null
      ? []
      : [[text.facts.tokens, tokensOf(format.number(tokens.input), format.number(tokens.output))] as const]),
  ] as const;
  return (
    <section className={styles.summary} aria-label={text.progress}>
      {/* Read out when it changes, and not at each stage of each article. */}
      <p className={styles.state} role="status">
        <RunSign status={run.status} />
      </p>
      <Progress
        value={Math.round((100 * totals.stages_done) / Math.max(1, totals.stages_total))}
        aria-label={text.progress}
      />
      <p className={styles.count}>
        {list.articles(totals.articles)} · {list.stages(totals.stages_done, totals.stages_total)}
      </p>
      {run.reason !== null && <Reason reason={run.reason} />}
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Reason({ reason }: { readonly reason: string }): ReactNode {
  const { id: siteId, rights } = useSite();
  const text = useText(runTexts);
  const isAboutMoney = reason === 'insufficient_credits' || reason === 'spend_cap_reached';
  return (
    <p className={styles.reason}>
      {text.reasons[reason as keyof typeof text.reasons] ?? reason}{' '}
      {isAboutMoney && rights.administers && (
        <TextLink to="/$siteId/usage" params={{ siteId }} underline="always">
          {text.usage}
        </TextLink>
      )}
    </p>
  );
}
