import type { ReactNode } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { PipelineRun } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { ButtonLink } from '../../ui/links.ts';
import { EmptyState } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { RunSign, isLive } from './run-sign.tsx';
import { screenTexts } from './text.ts';

const REFRESH_MS = 5_000;

/** The runs of the pipeline, the newest first. */
export function Screen(): ReactNode {
  const { id: siteId, rights } = useSite();
  const text = useText(screenTexts);
  const format = useFormat();
  const navigate = useNavigate();
  const list = useList<PipelineRun>({
    key: ['runs'],
    load: (presswork, page, options) => presswork.pipeline.listRuns(page, options),
    refreshMs: (runs) => runs.some(({ status }) => isLive(status)) && REFRESH_MS,
  });
  const start = rights.can('pipeline:run') && (
    <ButtonLink to="/$siteId/runs/new" params={{ siteId }}>
      {text.start}
    </ButtonLink>
  );
  return (
    <Page title={text.title} about={text.about} actions={start}>
      <DataTable
        label={text.title}
        list={list}
        columns={useColumns()}
        idOf={({ id }) => id}
        nameOf={({ created_at: time }) => text.runOf(format.dateTime(time))}
        onOpen={({ id }) => void navigate({ to: '/$siteId/runs/$runId', params: { siteId, runId: id } })}
        empty={
          <EmptyState title={text.none} action={start}>
            {text.noneAbout}
          </EmptyState>
        }
      />
    </Page>
  );
}

function useColumns(): readonly Column<PipelineRun>[] {
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  const format = useFormat();
  return [
    {
      key: 'run',
      title: text.columns.run,
      main: true,
      cell: ({ id, created_at: time, totals }) => (
        <>
          <Link to="/$siteId/runs/$runId" params={{ siteId, runId: id }}>
            {text.runOf(format.dateTime(time))}
          </Link>
          {` · ${text.articles(totals.articles)}`}
        </>
      ),
    },
    { key: 'status', title: text.columns.status, cell: ({ status }) => <RunSign status={status} /> },
    {
      key: 'progress',
      title: text.columns.progress,
      cell: ({ totals }) => text.stages(totals.stages_done, totals.stages_total),
    },
    {
      key: 'credits',
      title: text.columns.credits,
      align: 'end',
      cell: ({ credits_spent: spent }) => format.number(spent),
    },
    {
      key: 'started',
      title: text.columns.started,
      align: 'end',
      cell: ({ started_at: time }) => time !== null && <RelativeTime time={time} />,
    },
  ];
}
