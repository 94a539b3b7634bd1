import type { ReactNode } from 'react';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { LedgerEntry, Presswork } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import { narrowed } from '../../api/narrowed.ts';
import { PeriodSelect } from '../../content/period-select.tsx';
import { useSince } from '../../content/period.ts';
import { ExportButton } from '../../export/export-button.tsx';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Choice } from '../../ui/choice.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Filters } from '../../ui/filters.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { NoMatch } from '../../ui/no-match.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { kinds } from './search.ts';
import type { LedgerFilters } from './search.ts';
import styles from './screen.module.css';
import { screenTexts } from './text.ts';

const route = getRouteApi('/$siteId/usage');

const header = [
  'time',
  'kind',
  'amount',
  'balance',
  'stage',
  'article_id',
  'run_id',
  'scan_id',
  'payment_id',
];

const cellsOf = (entry: LedgerEntry) => [
  entry.created_at,
  entry.kind,
  entry.amount,
  entry.balance,
  entry.stage,
  entry.article_id,
  entry.run_id,
  entry.scan_id,
  entry.payment_id,
];

/** Every change of the balance. */
export function Ledger(): ReactNode {
  const text = useText(screenTexts);
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const since = useSince(filters.period);
  const load = (
    presswork: Presswork,
    { limit, cursor: first }: { limit: number; cursor?: string },
    options: { signal: AbortSignal },
  ) =>
    narrowed<LedgerEntry>((cursor) => presswork.usage.listLedger({ limit, cursor }, options), first, {
      keep: ({ kind }) => filters.kind === undefined || kind === filters.kind,
      isTooOld: ({ created_at: at }) => since !== undefined && at < since,
    });
  const list = useList<LedgerEntry>({ key: ['ledger', { kind: filters.kind, since }], load });
  const set = (part: LedgerFilters): void =>
    void navigate({ search: { ...filters, ...part }, replace: true });
  const isFiltered = filters.kind !== undefined || filters.period !== undefined;
  return (
    <section>
      <div className={styles.head}>
        <div>
          <h2>{text.ledger}</h2>
          <p className={styles.soft}>{text.ledgerAbout}</p>
        </div>
        <ExportButton<LedgerEntry> fileName="credits" header={header} load={load} cells={cellsOf} />
      </div>
      <Filters>
        <Choice
          label={text.kind}
          any={text.anyKind}
          options={kinds.map((kind) => ({ value: kind, label: text.kinds[kind] }))}
          value={filters.kind}
          onChange={(kind) => set({ kind })}
        />
        <PeriodSelect value={filters.period} onChange={(period) => set({ period })} />
      </Filters>
      <DataTable
        label={text.ledger}
        list={list}
        columns={useColumns()}
        idOf={({ id }) => id}
        nameOf={({ kind, amount }) => `${kind} ${amount}`}
        empty={
          isFiltered ? (
            <NoMatch text={text} onClear={() => void navigate({ search: {}, replace: true })} />
          ) : (
            <EmptyState title={text.none}>{text.noneAbout}</EmptyState>
          )
        }
      />
    </section>
  );
}

function useColumns(): readonly Column<LedgerEntry>[] {
  const text = useText(screenTexts);
  const format = useFormat();
  const names: Readonly<Record<string, string>> = text.kinds;
  return [
    {
      key: 'kind',
      title: text.columns.kind,
      main: true,
      cell: (entry) => (
        <>
          {names[entry.kind] ?? entry.kind} <About entry={entry} />
        </>
      ),
    },
    {
      key: 'amount',
      title: text.columns.amount,
      align: 'end',
      cell: ({ amount }) => (
        <strong className={styles.figure}>{`${amount > 0 ? '+' : ''}${format.number(amount)}`}</strong>
      ),
    },
    {
      key: 'balance',
      title: text.columns.balance,
      align: 'end',
      cell: ({ balance }) => <span className={styles.figure}>{format.number(balance)}</span>,
    },
    {
      key: 'time',
      title: text.columns.time,
      cell: ({ created_at: time }) => <RelativeTime time={time} />,
    },
  ];
}

/** The subject of a charge: the stage, the article and the run, or a scan. */
function About({ entry }: { readonly entry: LedgerEntry }): ReactNode {
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  const { stage, article_id: articleId, run_id: runId, scan_id: scanId } = entry;
  const stages: Readonly<Record<string, string>> = text.stages;
  if (stage === null && articleId === null && runId === null && scanId === null) return null;
  return (
    <span className={styles.about}>
      {stage !== null && <span>{text.stage(stages[stage] ?? stage)}</span>}
      {articleId !== null && (
        <Link to="/$siteId/articles/$articleId" params={{ siteId, articleId }}>
          {text.article}
        </Link>
      )}
      {runId !== null && (
        <Link to="/$siteId/runs/$runId" params={{ siteId, runId }}>
          {text.run}
        </Link>
      )}
      {scanId !== null && (
        <Link to="/$siteId/seo/scans" params={{ siteId }}>
          {text.scan}
        </Link>
      )}
    </span>
  );
}
