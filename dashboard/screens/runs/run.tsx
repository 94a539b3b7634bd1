import { useState } from 'react';
import type { ReactNode } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import type { PipelineRun } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useFailure } from '../../api/failure.ts';
import { useItem } from '../../api/item.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { AskingButton } from '../../ui/asking-button.tsx';
import { Button } from '../../ui/controls.ts';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { toast } from '../../session/toast.ts';
import { Unread } from '../../ui/unread.tsx';
import { useRefusal } from './refusal.ts';
import { RunArticles } from './run-articles.tsx';
import { isLive } from './run-sign.tsx';
import { RunSummary } from './run-summary.tsx';
import styles from './steps.module.css';
import { stepTexts } from './step-text.ts';
import { runTexts, screenTexts } from './text.ts';

const Steps = onDemand(async () => (await import('./steps.tsx')).Steps);

const REFRESH_MS = 2_000;

const route = getRouteApi('/$siteId/runs/$runId');

/** One run, read again while it goes on and somebody looks. */
export function Screen(): ReactNode {
  const { runId } = route.useParams();
  const { id: siteId } = useSite();
  const list = useText(screenTexts);
  const text = useText(runTexts);
  const format = useFormat();
  const {
    data: run,
    error,
    refetch,
  } = useItem({
    key: ['runs', runId],
    load: (presswork, options) => presswork.pipeline.getRun(runId, options),
    refreshMs: (read) => read !== undefined && isLive(read.status) && REFRESH_MS,
  });
  const runs = `/${siteId}/runs`;
  const crumbs = [{ label: list.title, to: runs }];
  if (run !== undefined)
    return (
      <Page
        title={list.runOf(format.dateTime(run.created_at))}
        crumbs={crumbs}
        actions={<Actions run={run} />}
      >
        {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
        <RunSummary run={run} />
        <RunArticles run={run} />
        <StepsOfRun run={run} />
      </Page>
    );
  return (
    <Page title={list.title} crumbs={crumbs}>
      {error === null ? (
        <Loading />
      ) : (
        <Unread
          error={error}
          retry={() => void refetch()}
          missing={text.missing}
          back={{ label: text.toList, to: runs }}
        />
      )}
    </Page>
  );
}

/** What the writer was asked, read when somebody wants to know. */
function StepsOfRun({ run }: { readonly run: PipelineRun }): ReactNode {
  const text = useText(stepTexts);
  // The editor links to them.
  const [opened, setOpened] = useState(() => location.hash === '#steps');
  return (
    <details
      id="steps"
      className={styles.section}
      open={opened}
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
    >
      <summary>{text.title}</summary>
      {opened && <Steps run={run} />}
    </details>
  );
}

/** The actions of a run in its state. */
function Actions({ run }: { readonly run: PipelineRun }): ReactNode {
  const { id: siteId, rights } = useSite();
  const text = useText(runTexts);
  const navigate = route.useNavigate();
  const refusal = useRefusal();
  const failure = useFailure();
  const cancel = useChange({
    send: (presswork) => presswork.pipeline.cancelRun(run.id),
    touches: ['runs'],
    done: () => text.cancelling,
    errors: 'here',
  });
  const goOn = useChange({
    send: (presswork, _input: void, { idempotencyKey }) =>
      presswork.pipeline.startRun({ resume_run_id: run.id }, { idempotencyKey }),
    touches: ['runs', 'usage'],
    done: () => text.goOnDone,
    onDone: ({ id }) => void navigate({ to: '/$siteId/runs/$runId', params: { siteId, runId: id } }),
    errors: 'here',
  });
  const resume = (): void =>
    goOn.mutate(undefined, { onError: (error) => toast.error(failure(refusal(error))) });
  if (!rights.can('pipeline:run') || run.status === 'completed') return null;
  if (!isLive(run.status))
    return (
      <Button loading={goOn.isPending} onClick={resume}>
        {text.goOn}
      </Button>
    );
  return (
    <AskingButton title={text.cancelTitle} action={text.cancel} danger onConfirm={() => cancel.mutateAsync()}>
      {text.cancelAbout}
    </AskingButton>
  );
}
