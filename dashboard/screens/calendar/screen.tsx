import type { ReactNode } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { useMediaQuery } from '../../ui/controls.ts';
import { ButtonLink } from '../../ui/links.ts';
import { EmptyState, ErrorNote, Loading } from '../../ui/notes.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { wallTimeOf } from '../../text/wall-time.ts';
import { Agenda } from './agenda.tsx';
import styles from './calendar.module.css';
import { Clocks } from './clocks.tsx';
import { daysOf, isDay } from './days.ts';
import { useEntries } from './entries.ts';
import { Grid } from './grid.tsx';
import { OverdueNote } from './overdue-note.tsx';
import type { CalendarSearch } from './search.ts';
import { screenTexts } from './text.ts';
import { Toolbar, usePeriod } from './toolbar.tsx';
import { useMoving } from './moving.ts';

const EntryDialog = onDemand(async () => (await import('./entry-dialog.tsx')).EntryDialog);

const NARROW = '(max-width: 640px)';
/** In a month, so that the weeks are of about the same height. */
const MOST_OF_A_DAY = 4;

const route = getRouteApi('/$siteId/calendar');

/** Past and coming publications, on the clock of the Site. */
export function Screen(): ReactNode {
  const { timezone, rights } = useSite();
  const text = useText(screenTexts);
  const { view = 'month', on: asked } = route.useSearch();
  const navigate = route.useNavigate();
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const today = wallTimeOf(new Date(), timezone).slice(0, 10);
  const on = isDay(asked) ? asked : today;
  const shown = isNarrow && view === 'month' ? 'list' : view;
  const days = daysOf(shown, on);
  const read = useEntries(days);
  const { dialog, move, open, close, moved } = useMoving();
  const show = (search: CalendarSearch): void => void navigate({ search, replace: true });
  const period = usePeriod(view, on);
  const asList = isNarrow || view === 'list';
  return (
    <Page title={text.title} about={<Clocks />}>
      <Toolbar view={view} on={on} today={today} onShow={show} />
      {read.error !== null && <ErrorNote error={read.error} retry={read.reload} />}
      <OverdueNote overdue={read.overdue} />
      {read.isLoading && read.error === null && <Loading />}
      {asList && !read.isLoading && read.entries.length === 0 && <Nothing />}
      {asList && <Agenda entries={read.entries} today={today} onOpen={open} />}
      {!asList && (
        <Grid
          label={period}
          days={days}
          entries={read.entries}
          today={today}
          month={view === 'month' ? on.slice(0, 7) : null}
          most={view === 'month' ? MOST_OF_A_DAY : Number.POSITIVE_INFINITY}
          onOpen={open}
          onMove={move}
          onShowDay={(day) => show({ view: 'week', on: day })}
        />
      )}
      {!asList && rights.publishes && <p className={styles.cut}>{text.hint}</p>}
      {read.isCut && <p className={styles.cut}>{text.cut}</p>}
      {dialog !== null && <EntryDialog {...dialog} onClose={close} onMoved={moved} />}
    </Page>
  );
}

function Nothing(): ReactNode {
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  const toDrafts = (
    <ButtonLink variant="default" to="/$siteId/articles" params={{ siteId }} search={{ status: ['draft'] }}>
      {text.drafts}
    </ButtonLink>
  );
  return (
    <EmptyState title={text.none} action={toDrafts}>
      {text.noneAbout}
    </EmptyState>
  );
}
