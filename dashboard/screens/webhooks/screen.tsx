import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Webhook } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { Health } from './health.tsx';
import { ListenHint } from './listen-hint.tsx';
import styles from './screen.module.css';
import { screenTexts } from './text.ts';

const CreateDialog = onDemand(async () => (await import('./create-dialog.tsx')).CreateDialog);

const REFRESH_MS = 10_000;

/** The endpoints of the Site, and how they are. */
export function Screen(): ReactNode {
  const { id: siteId, rights } = useSite();
  const text = useText(screenTexts);
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);
  const list = useList<Webhook>({
    key: ['webhooks'],
    load: (presswork, page, options) => presswork.webhooks.list(page, options),
    refreshMs: REFRESH_MS,
  });
  const add = rights.can('webhooks:write') && <Button onClick={() => setAdding(true)}>{text.add}</Button>;
  return (
    <Page title={text.title} about={text.about} actions={add}>
      <DataTable
        label={text.title}
        list={list}
        columns={useColumns()}
        idOf={({ id }) => id}
        nameOf={({ url }) => url}
        onOpen={({ id }) =>
          void navigate({ to: '/$siteId/webhooks/$webhookId', params: { siteId, webhookId: id } })
        }
        empty={
          <EmptyState title={text.none} action={add}>
            {text.noneAbout}
          </EmptyState>
        }
      />
      <ListenHint />
      {adding && <CreateDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

function useColumns(): readonly Column<Webhook>[] {
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  return [
    {
      key: 'url',
      title: text.columns.url,
      main: true,
      cell: ({ id, url, description }) => (
        <div className={styles.endpoint}>
          <Link to="/$siteId/webhooks/$webhookId" params={{ siteId, webhookId: id }} dir="ltr">
            {url}
          </Link>
          {description !== null && <p dir="auto">{description}</p>}
        </div>
      ),
    },
    { key: 'health', title: text.columns.health, cell: (webhook) => <Health webhook={webhook} /> },
    {
      key: 'events',
      title: text.columns.events,
      cell: ({ events }) => (
        <div className={styles.events}>
          {events.includes('*') ? text.all : events.map((name) => <span key={name}>{name}</span>)}
        </div>
      ),
    },
    {
      key: 'created',
      title: text.columns.created,
      cell: ({ created_at: time }) => <RelativeTime time={time} />,
    },
  ];
}
