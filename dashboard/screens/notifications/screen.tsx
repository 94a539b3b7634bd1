import type { ReactNode } from 'react';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import type { Notification } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useList } from '../../api/list.ts';
import { useText } from '../../text/texts.ts';
import { Anchor, Button } from '../../ui/controls.ts';
import { Choice } from '../../ui/choice.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Filters } from '../../ui/filters.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { Sign } from '../../ui/sign.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { MailSettings } from './settings.tsx';
import { screenTexts } from './text.ts';

const route = getRouteApi('/$siteId/notifications');

const REFRESH_MS = 60_000;

/** What the person was told, and how they are told. */
export function Screen(): ReactNode {
  const text = useText(screenTexts);
  const { show } = route.useSearch();
  const navigate = route.useNavigate();
  const { history } = useRouter();
  const unread = show === 'unread';
  const list = useList<Notification>({
    key: ['notifications', { unread }],
    load: (presswork, page, options) =>
      presswork.notifications.list({ ...page, ...(unread && { unread: 'true' as const }) }, options),
    refreshMs: REFRESH_MS,
  });
  const read = useChange({
    send: (presswork, body: { ids: string[] } | { before: string }) => presswork.notifications.markRead(body),
    touches: ['notifications'],
  });
  const open = ({ id, url, read_at: readAt }: Notification): void => {
    if (readAt === null) read.mutate({ ids: [id] });
    history.push(addressOf(url));
  };
  const newest = list.rows[0];
  return (
    <Page
      title={text.title}
      about={text.about}
      actions={
        newest !== undefined && (
          <Button
            variant="default"
            loading={read.isPending}
            onClick={() => read.mutate({ before: justAfter(newest.created_at) })}
          >
            {text.readAll}
          </Button>
        )
      }
    >
      <Filters>
        <Choice
          label={text.shown}
          any={text.all}
          options={[{ value: 'unread', label: text.unread }]}
          value={unread ? 'unread' : undefined}
          onChange={(value) => void navigate({ search: { show: value }, replace: true })}
        />
      </Filters>
      <DataTable
        label={text.title}
        list={list}
        columns={useColumns(open)}
        idOf={({ id }) => id}
        nameOf={(row) => row.text}
        onOpen={open}
        empty={<EmptyState title={unread ? text.noneUnread : text.none} />}
      />
      <MailSettings />
    </Page>
  );
}

/** On the origin on which the dashboard is, which may be another name of the service. */
const addressOf = (url: string): string => new URL(url).pathname;

/** What has come since the list was read stays unread. */
const justAfter = (time: string): string => new Date(Date.parse(time) + 1).toISOString();

function useColumns(open: (row: Notification) => void): readonly Column<Notification>[] {
  const text = useText(screenTexts);
  return [
    {
      key: 'what',
      title: text.what,
      main: true,
      cell: (row) => (
        <Anchor
          href={addressOf(row.url)}
          dir="auto"
          c="var(--ink)"
          fw={row.read_at === null ? 600 : 400}
          onClick={(event) => {
            event.preventDefault();
            open(row);
          }}
        >
          {row.text}
        </Anchor>
      ),
    },
    {
      key: 'state',
      title: text.state,
      width: '8rem',
      cell: ({ read_at: readAt }) => (
        <Sign tone={readAt === null ? 'busy' : 'quiet'}>{readAt === null ? text.isUnread : text.isRead}</Sign>
      ),
    },
    {
      key: 'when',
      title: text.when,
      width: '9rem',
      cell: ({ created_at: time }) => <RelativeTime time={time} />,
    },
  ];
}
