import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { AuditLogEntry } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import { ExportButton } from '../../export/export-button.tsx';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Expander } from '../../ui/expander.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { actionTexts } from './actions.ts';
import { Details } from './details.tsx';
import { FilterFields } from './filter-fields.tsx';
import { queryOf } from './query.ts';
import type { AuditFilters } from './search.ts';
import styles from './screen.module.css';
import { Target } from './target.tsx';
import { screenTexts } from './text.ts';

const route = getRouteApi('/$siteId/audit-log');

const header = [
  'time',
  'actor_kind',
  'actor_id',
  'actor',
  'action',
  'target_type',
  'target_id',
  'details',
  'request_id',
];

const cellsOf = ({ at, actor, action, target, details, request_id: request }: AuditLogEntry) => [
  at,
  actor.kind,
  actor.id,
  actor.name,
  action,
  target?.type ?? null,
  target?.id ?? null,
  JSON.stringify(details),
  request,
];

/** Who changed which object, and when. */
export function Screen(): ReactNode {
  const text = useText(screenTexts);
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const query = queryOf(filters);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const list = useList<AuditLogEntry>({
    key: ['audit-log', query],
    load: (presswork, page, options) => presswork.auditLog.list({ ...query, ...page }, options),
  });
  const toggle = (id: string): void => {
    const ids = new Set(opened);
    if (!ids.delete(id)) ids.add(id);
    setOpened(ids);
  };
  const set = (part: AuditFilters): void => void navigate({ search: { ...filters, ...part }, replace: true });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page
      title={text.title}
      about={text.about}
      actions={
        <ExportButton<AuditLogEntry>
          fileName="audit-log"
          header={header}
          load={(presswork, page, options) => presswork.auditLog.list({ ...query, ...page }, options)}
          cells={cellsOf}
        />
      }
    >
      <FilterFields filters={filters} onChange={set} />
      <DataTable
        label={text.title}
        list={list}
        columns={useColumns(opened, toggle)}
        idOf={({ id }) => id}
        nameOf={({ action, actor }) => `${action} ${actor.name}`}
        onOpen={({ id }) => toggle(id)}
        empty={
          <EmptyState
            title={isFiltered ? text.noMatch : text.none}
            action={
              isFiltered && (
                <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
                  {text.clear}
                </Button>
              )
            }
          >
            {isFiltered ? text.noMatchAbout : ''}
          </EmptyState>
        }
      />
    </Page>
  );
}

function useColumns(
  opened: ReadonlySet<string>,
  onToggle: (id: string) => void,
): readonly Column<AuditLogEntry>[] {
  const { id: siteId } = useSite();
  const filters = route.useSearch();
  const text = useText(screenTexts);
  const actions: Readonly<Record<string, string>> = useText(actionTexts);
  const kinds: Readonly<Record<string, string>> = text.kinds;
  return [
    {
      key: 'action',
      title: text.columns.action,
      main: true,
      cell: ({ id, action, details, request_id: request }) => (
        <div>
          <Expander isOpen={opened.has(id)} onToggle={() => onToggle(id)}>
            {actions[action] ?? action}
          </Expander>
          {opened.has(id) && <Details details={details} request={request} />}
        </div>
      ),
    },
    {
      key: 'actor',
      title: text.columns.actor,
      cell: ({ actor }) => (
        <div className={styles.who}>
          <span className={styles.kind}>{kinds[actor.kind] ?? actor.kind}</span>
          {actor.id === null ? (
            <span dir="auto">{actor.name}</span>
          ) : (
            <Link
              to="/$siteId/audit-log"
              params={{ siteId }}
              search={{ ...filters, actor: actor.id }}
              aria-label={text.only(actor.name)}
              dir="auto"
            >
              {actor.name}
            </Link>
          )}
        </div>
      ),
    },
    { key: 'target', title: text.columns.target, cell: ({ target }) => <Target target={target} /> },
    { key: 'time', title: text.columns.time, cell: ({ at }) => <RelativeTime time={at} /> },
  ];
}
