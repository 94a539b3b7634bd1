import type { ReactNode } from 'react';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { Connection, Push } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Sign } from '../../ui/sign.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import styles from './delivery.module.css';
import { screenTexts } from './text.ts';

const PushPanel = onDemand(async () => (await import('./push-panel.tsx')).PushPanel);

const route = getRouteApi('/$siteId/delivery');

const REFRESH_MS = 3_000;

/** The pushes, the newest first. */
export function Pushes({ connections }: { readonly connections: readonly Connection[] }): ReactNode {
  const text = useText(screenTexts);
  const { push } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useList<Push>({
    key: ['pushes'],
    load: (presswork, page, options) => presswork.pushes.list(page, options),
    refreshMs: (pushes) => pushes.some(({ finished_at: end }) => end === null) && REFRESH_MS,
  });
  const nameOf = (id: string): string => connections.find((each) => each.id === id)?.name ?? text.gone;
  return (
    <>
      <DataTable
        label={text.pushes}
        list={list}
        columns={useColumns(nameOf)}
        idOf={({ id }) => id}
        nameOf={({ items, connection_id: id }) => `${text.articles(items.length)} ${text.to(nameOf(id))}`}
        onOpen={({ id }) => void navigate({ search: { push: id } })}
        empty={<EmptyState title={text.noPushes}>{text.noPushesAbout}</EmptyState>}
      />
      {push !== undefined && (
        <PushPanel
          key={push}
          pushId={push}
          nameOf={nameOf}
          onPushed={(id) => void navigate({ search: { push: id }, replace: true })}
          onClose={() => void navigate({ search: {}, replace: true })}
        />
      )}
    </>
  );
}

function useColumns(nameOf: (connectionId: string) => string): readonly Column<Push>[] {
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  return [
    {
      key: 'what',
      title: text.pushColumns.what,
      main: true,
      cell: ({ id, items, connection_id: connection }) => (
        <div className={styles.row}>
          <Link to="/$siteId/delivery" params={{ siteId }} search={{ push: id }}>
            {text.articles(items.length)}
          </Link>
          <span className={styles.soft} dir="auto">
            {text.to(nameOf(connection))}
          </span>
        </div>
      ),
    },
    { key: 'result', title: text.pushColumns.result, cell: (push) => <Outcome push={push} /> },
    {
      key: 'time',
      title: text.pushColumns.time,
      cell: ({ created_at: time }) => <RelativeTime time={time} />,
    },
  ];
}

/** The result of a push, or its progress. */
export function Outcome({ push: { items, finished_at: end } }: { readonly push: Push }): ReactNode {
  const text = useText(screenTexts);
  const count = (status: string): number => items.filter((item) => item.status === status).length;
  const [waiting, failed, diverged] = [count('waiting'), count('failed'), count('diverged')];
  return (
    <span className={styles.signs}>
      {end === null && <Sign tone="busy">{text.underWay(items.length - waiting, items.length)}</Sign>}
      {failed > 0 && <Sign tone="bad">{text.someFailed(failed)}</Sign>}
      {diverged > 0 && <Sign tone="warn">{text.someDiverged(diverged)}</Sign>}
      {end !== null && failed + diverged === 0 && <Sign tone="good">{text.allDone}</Sign>}
    </span>
  );
}
