import type { ReactNode } from 'react';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { Event } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import { eventTypes } from '../../content/event-types.ts';
import { PeriodSelect } from '../../content/period-select.tsx';
import { useSince } from '../../content/period.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Choice } from '../../ui/choice.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Filters } from '../../ui/filters.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { NoMatch } from '../../ui/no-match.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import type { EventFilters } from './search.ts';
import styles from './event.module.css';
import { screenTexts } from './text.ts';

const EventDrawer = onDemand(async () => (await import('./event.tsx')).EventDrawer);

const route = getRouteApi('/$siteId/events');
/** Each has its whole body, such as an article. */
const PAGE = 25;

/** The audit log of the Site. */
export function Screen(): ReactNode {
  const text = useText(screenTexts);
  const { event, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const since = useSince(filters.period);
  const list = useList<Event>({
    key: ['events', { type: filters.type, since }],
    load: (presswork, page, options) =>
      presswork.events.list({ ...page, limit: PAGE, event: filters.type, since }, options),
  });
  const set = (part: EventFilters): void => void navigate({ search: { ...filters, ...part }, replace: true });
  const isFiltered = filters.type !== undefined || filters.period !== undefined;
  return (
    <Page title={text.title} about={text.about}>
      <Filters>
        <Choice
          label={text.type}
          any={text.anyType}
          options={eventTypes}
          value={filters.type}
          onChange={(type) => set({ type })}
        />
        <PeriodSelect value={filters.period} onChange={(period) => set({ period })} />
      </Filters>
      <DataTable
        label={text.title}
        list={list}
        columns={useColumns()}
        idOf={({ id }) => id}
        nameOf={(row) => `${row.event} ${subjectOf(row)}`}
        onOpen={({ id }) => void navigate({ search: { ...filters, event: id } })}
        empty={
          isFiltered ? (
            <NoMatch text={text} onClear={() => void navigate({ search: {}, replace: true })} />
          ) : (
            <EmptyState title={text.none}>{text.noneAbout}</EmptyState>
          )
        }
      />
      {event !== undefined && (
        <EventDrawer eventId={event} onClose={() => void navigate({ search: filters, replace: true })} />
      )}
    </Page>
  );
}

function useColumns(): readonly Column<Event>[] {
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  const filters = route.useSearch();
  return [
    {
      key: 'type',
      title: text.columns.type,
      main: true,
      cell: ({ id, event }) => (
        <Link to="/$siteId/events" params={{ siteId }} search={{ ...filters, event: id }}>
          {event}
        </Link>
      ),
    },
    {
      key: 'subject',
      title: text.columns.subject,
      cell: (row) => (
        <span className={styles.subject} dir="auto">
          {subjectOf(row)}
        </span>
      ),
    },
    {
      key: 'time',
      title: text.columns.time,
      cell: ({ created_at: time }) => <RelativeTime time={time} />,
    },
  ];
}

/** The subject of an event, by the members that its data may have. */
function subjectOf({ data }: Event): string {
  const { title, author_name: author, status } = data as Readonly<Record<string, unknown>>;
  const name = [title, author, status].find((value) => typeof value === 'string');
  return typeof name === 'string' ? name : '';
}
