import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { Delivery, Webhook } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import type { LoadedList } from '../../api/list.ts';
import { narrowed } from '../../api/narrowed.ts';
import { deliveredTypes } from '../../content/event-types.ts';
import { PeriodSelect } from '../../content/period-select.tsx';
import { useSince } from '../../content/period.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Choice } from '../../ui/choice.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Filters } from '../../ui/filters.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { NoMatch } from '../../ui/no-match.tsx';
import { Sign } from '../../ui/sign.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { logTexts } from './log-text.ts';
import { Redeliver } from './redeliver.tsx';
import { useResult } from './result.tsx';
import type { LogFilters } from './search.ts';
import styles from './webhook.module.css';

const route = getRouteApi('/$siteId/webhooks/$webhookId');

const REFRESH_MS = 5_000;
/** Who has loaded more than two pages reads what was, and is not moved about by what comes. */
const LIVE_ROWS = 100;

/** The deliveries of an endpoint: each event once, with its last attempt. */
export function DeliveryLog({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const text = useText(logTexts);
  const { rights } = useSite();
  const { event: _, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isLive, setLive] = useState(true);
  const list = useDeliveries(webhook.id, filters, isLive);
  if (isLive !== list.rows.length <= LIVE_ROWS) setLive(!isLive);
  const set = (part: LogFilters): void => {
    setSelected(new Set());
    void navigate({ search: { ...filters, ...part }, replace: true });
  };
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const mayRedeliver = rights.can('webhooks:write') && webhook.enabled;
  return (
    <>
      <LogFilter filters={filters} onChange={set} />
      <DataTable
        label={text.title}
        list={list}
        columns={useColumns()}
        idOf={({ id }) => id}
        nameOf={({ event, event_id: id }) => `${event} ${id}`}
        onOpen={({ event_id: event }) => void navigate({ search: { ...filters, event } })}
        {...(mayRedeliver && { selection: { ids: selected, onChange: setSelected } })}
        empty={
          isFiltered ? (
            <NoMatch text={text} onClear={() => void navigate({ search: {}, replace: true })} />
          ) : (
            <EmptyState title={text.none}>{text.noneAbout}</EmptyState>
          )
        }
      />
      {selected.size > 0 && (
        <Redeliver
          webhookId={webhook.id}
          deliveries={list.rows.filter(({ id }) => selected.has(id))}
          onDone={() => setSelected(new Set())}
        />
      )}
    </>
  );
}

function useDeliveries(
  id: string,
  filters: Omit<LogFilters, 'event'>,
  isLive: boolean,
): LoadedList<Delivery> {
  const { status, type, period } = filters;
  const since = useSince(period);
  const list = useList<Delivery>({
    key: ['deliveries', id, { status, type, since }],
    load: (presswork, { limit, cursor: first }, options) =>
      narrowed(
        (cursor) => presswork.webhooks.listDeliveries(id, { limit, cursor, status, event: type }, options),
        first,
        { isTooOld: ({ attempted_at: at }) => since !== undefined && at < since },
      ),
    refreshMs: isLive && REFRESH_MS,
  });
  const seen = new Set<string>();
  return { ...list, rows: list.rows.filter(({ event_id: event }) => !seen.has(event) && seen.add(event)) };
}

interface LogFilterProps {
  readonly filters: LogFilters;
  readonly onChange: (part: LogFilters) => void;
}

function LogFilter({ filters, onChange }: LogFilterProps): ReactNode {
  const text = useText(logTexts);
  return (
    <Filters>
      <Choice
        label={text.status}
        any={text.any}
        options={[
          { value: 'succeeded', label: text.succeeded },
          { value: 'failed', label: text.failed },
        ]}
        value={filters.status}
        onChange={(status) => onChange({ status })}
      />
      <Choice
        label={text.type}
        any={text.anyType}
        options={deliveredTypes}
        value={filters.type}
        onChange={(type) => onChange({ type })}
      />
      <PeriodSelect value={filters.period} onChange={(period) => onChange({ period })} />
    </Filters>
  );
}

function useColumns(): readonly Column<Delivery>[] {
  const { id: siteId } = useSite();
  const { webhookId } = route.useParams();
  const filters = route.useSearch();
  const text = useText(logTexts);
  const format = useFormat();
  const result = useResult();
  return [
    {
      key: 'result',
      title: text.columns.result,
      main: true,
      cell: (delivery) => (
        <div className={styles.result}>
          <Link
            to="/$siteId/webhooks/$webhookId"
            params={{ siteId, webhookId }}
            search={{ ...filters, event: delivery.event_id }}
          >
            <Sign tone={delivery.status === 'succeeded' ? 'good' : 'bad'}>
              {delivery.status === 'succeeded' ? text.succeeded : text.failed}
            </Sign>
          </Link>
          <p>
            {result(delivery)} · {text.attempt(delivery.attempt)}
            {delivery.redelivery && `, ${text.redelivery}`}
          </p>
        </div>
      ),
    },
    { key: 'type', title: text.columns.type, cell: ({ event }) => <code>{event}</code> },
    {
      key: 'duration',
      title: text.columns.duration,
      align: 'end',
      cell: ({ duration_ms: duration }) => text.one.took(format.number(duration)),
    },
    {
      key: 'time',
      title: text.columns.time,
      cell: ({ attempted_at: time }) => <RelativeTime time={time} />,
    },
  ];
}
