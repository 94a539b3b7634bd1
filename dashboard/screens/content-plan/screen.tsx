import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { PlanItem } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Button, NativeSelect } from '../../ui/controls.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Filters } from '../../ui/filters.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { NoMatch } from '../../ui/no-match.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Sign } from '../../ui/sign.tsx';
import type { Tone } from '../../ui/sign.tsx';
import { AutopilotButton } from './autopilot-button.tsx';
import { useMoves } from './move.ts';
import { RowActions } from './row-actions.tsx';
import { statuses } from './search.ts';
import type { PlanSearch } from './search.ts';
import { Selection } from './selection.tsx';
import { screenTexts } from './text.ts';
import styles from './content-plan.module.css';

const ItemPanel = onDemand(async () => (await import('./item-panel.tsx')).ItemPanel);
const route = getRouteApi('/$siteId/content-plan');

/** The plan of the Site, in order. */
export function Screen(): ReactNode {
  const { rights } = useSite();
  const text = useText(screenTexts);
  const { item, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const list = useList<PlanItem>({
    key: ['plan', 'list', filters],
    load: (presswork, page, options) => presswork.planItems.list({ ...filters, ...page }, options),
  });
  const movesOf = useMoves(list.rows);
  const mayWrite = rights.can('articles:write');
  const mayRun = rights.can('pipeline:run');
  const open = (id: string | undefined): void =>
    void navigate({ search: { ...filters, ...(id !== undefined && { item: id }) } });
  const isFiltered = filters.q !== undefined || filters.status !== undefined;
  const canMove = mayWrite && !isFiltered && filters.order === undefined;
  const chosen = list.rows.filter(({ id }) => selected.has(id));
  const createButton = mayWrite && <Button onClick={() => open('new')}>{text.create}</Button>;
  return (
    <Page
      title={text.title}
      about={text.about}
      actions={
        <>
          <AutopilotButton />
          {createButton}
        </>
      }
    >
      <PlanFilters filters={filters} onChange={(search) => void navigate({ search, replace: true })} />
      <DataTable
        label={text.title}
        list={list}
        columns={useColumns()}
        idOf={({ id }) => id}
        nameOf={({ title }) => title}
        onOpen={({ id }) => open(id)}
        {...(mayRun && { selection: { ids: selected, onChange: setSelected } })}
        {...(mayWrite && {
          actions: (row: PlanItem) => (
            <RowActions item={row} moves={canMove ? movesOf(row) : {}} onEdit={() => open(row.id)} />
          ),
        })}
        empty={
          isFiltered ? (
            <NoMatch text={text} onClear={() => void navigate({ search: {} })} />
          ) : (
            <EmptyState title={text.none} action={createButton}>
              {text.noneAbout}
            </EmptyState>
          )
        }
      />
      {mayRun && chosen.length > 0 && <Selection items={chosen} onClear={() => setSelected(new Set())} />}
      {item !== undefined && <ItemPanel key={item} id={item} onClose={() => open(undefined)} />}
    </Page>
  );
}

interface PlanFiltersProps {
  readonly filters: Omit<PlanSearch, 'item'>;
  readonly onChange: (filters: Omit<PlanSearch, 'item'>) => void;
}

function PlanFilters({ filters, onChange }: PlanFiltersProps): ReactNode {
  const text = useText(screenTexts);
  const { q, status, order } = filters;
  const set = (part: Partial<Record<keyof PlanSearch, unknown>>): void =>
    onChange(
      Object.fromEntries(Object.entries({ ...filters, ...part }).filter(([, value]) => value !== undefined)),
    );
  return (
    <Filters>
      <SearchField
        label={text.searchPlan}
        value={q ?? ''}
        onChange={(typed) => set({ q: typed === '' ? undefined : typed })}
      />
      <Choice
        label={text.columns.status}
        any={text.anyStatus}
        options={statuses.map((value) => ({ value, label: text.statuses[value] }))}
        value={status?.[0]}
        onChange={(value) => set({ status: value === undefined ? undefined : [value] })}
      />
      <NativeSelect
        label={text.order}
        data={[
          { value: 'rank', label: text.orders.rank },
          { value: 'target_date', label: text.orders.target_date },
        ]}
        value={order ?? 'rank'}
        onChange={({ currentTarget: { value } }) =>
          set({ order: value === 'target_date' ? value : undefined })
        }
      />
    </Filters>
  );
}

const tones: Readonly<Record<string, Tone>> = {
  idea: 'quiet',
  approved: 'busy',
  rejected: 'bad',
  started: 'busy',
  done: 'good',
};

function useColumns(): readonly Column<PlanItem>[] {
  const text = useText(screenTexts);
  const format = useFormat();
  const names: Readonly<Record<string, string>> = text.statuses;
  return [
    {
      key: 'title',
      title: text.columns.title,
      main: true,
      cell: (item) => (
        <div className={styles.item}>
          <Link to="." search={(search) => ({ ...search, item: item.id })} dir="auto">
            {item.title}
          </Link>
          {item.keywords.length > 0 && (
            <span className={styles.soft} dir="auto">
              {format.list(item.keywords.slice(0, 8))}
            </span>
          )}
        </div>
      ),
    },
    {
      key: 'status',
      title: text.columns.status,
      cell: ({ status }) => <Sign tone={tones[status] ?? 'quiet'}>{names[status] ?? status}</Sign>,
    },
    { key: 'made', title: text.columns.made, cell: (item) => <Made item={item} /> },
    {
      key: 'date',
      title: text.columns.date,
      cell: ({ target_date: date }) => (date === null ? null : format.date(`${date}T00:00:00Z`, 'UTC')),
    },
  ];
}

/** The article that was made of an item, and the run that took it. */
function Made({ item: { article_id: articleId, run_id: runId } }: { readonly item: PlanItem }): ReactNode {
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  if (articleId === null && runId === null) return null;
  return (
    <span className={styles.made}>
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
    </span>
  );
}
