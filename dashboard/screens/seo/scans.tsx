import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { SeoScan } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Sign } from '../../ui/sign.tsx';
import type { Tone } from '../../ui/sign.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { Layout } from './layout.tsx';
import { ScanActions, isLive } from './scan-actions.tsx';
import { kinds } from './search.ts';
import styles from './seo.module.css';
import { StartButton } from './start-button.tsx';
import { screenTexts } from './text.ts';

const Trends = onDemand(async () => (await import('./trends.tsx')).Trends);

const REFRESH_MS = 3_000;

/** The scans, with their prices; the newest first. */
export function Screen(): ReactNode {
  const { rights } = useSite();
  const text = useText(screenTexts);
  const mayRun = rights.can('pipeline:run');
  const names: Readonly<Record<string, string>> = text.kinds;
  const list = useList<SeoScan>({
    key: ['seo', 'scans'],
    load: (presswork, page, options) => presswork.seo.listScans(page, options),
    refreshMs: (scans) => scans.some(isLive) && REFRESH_MS,
  });
  return (
    <Layout actions={mayRun && <StartButton />}>
      <Trends scans={list.rows} />
      <DataTable
        label={text.scans}
        list={list}
        columns={useColumns()}
        idOf={({ id }) => id}
        nameOf={({ kind }) => names[kind] ?? kind}
        {...(mayRun && { actions: (scan: SeoScan) => <ScanActions scan={scan} /> })}
        empty={
          <EmptyState title={text.noScans} action={mayRun && <StartButton />}>
            {text.noScansAbout}
          </EmptyState>
        }
      />
    </Layout>
  );
}

const tones: Readonly<Record<string, Tone>> = {
  queued: 'quiet',
  running: 'busy',
  completed: 'good',
  partial: 'warn',
  failed: 'bad',
  cancelled: 'quiet',
};

function useColumns(): readonly Column<SeoScan>[] {
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  const format = useFormat();
  const statuses: Readonly<Record<string, string>> = text.scanStatuses;
  const reasons: Readonly<Record<string, string>> = text.reasons;
  return [
    {
      key: 'kind',
      title: text.scanColumns.kind,
      main: true,
      cell: ({ kind, found, reason }) => {
        const known = kinds.find((each) => each === kind);
        const sum = text.foundIn(
          format.number(found.error),
          format.number(found.warning),
          format.number(found.notice),
        );
        return (
          <div className={styles.finding}>
            <Link to="/$siteId/seo" params={{ siteId }} search={known === undefined ? {} : { kind: known }}>
              {known === undefined ? kind : text.kinds[known]}
            </Link>
            <span className={styles.soft}>{sum}</span>
            {reason !== null && <span className={styles.soft}>{reasons[reason] ?? reason}</span>}
          </div>
        );
      },
    },
    {
      key: 'status',
      title: text.scanColumns.status,
      cell: ({ status }) => <Sign tone={tones[status] ?? 'quiet'}>{statuses[status] ?? status}</Sign>,
    },
    {
      key: 'units',
      title: text.scanColumns.units,
      align: 'end',
      cell: ({ units: { done, total } }) =>
        text.units(format.number(done), total === null ? null : format.number(total)),
    },
    {
      key: 'credits',
      title: text.scanColumns.credits,
      align: 'end',
      cell: ({ credits_spent: spent }) => format.number(spent),
    },
    {
      key: 'started',
      title: text.scanColumns.started,
      cell: ({ created_at: time }) => <RelativeTime time={time} />,
    },
  ];
}
