import type { ReactNode } from 'react';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { Approval } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import { useActionName } from '../../content/approval-actions.ts';
import { useSite } from '../../api/site.ts';
import { isolated } from '../../text/isolated.ts';
import { useText } from '../../text/texts.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { ButtonLink } from '../../ui/links.ts';
import { EmptyState, Loading } from '../../ui/notes.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { Expiry, useNow } from './expiry.tsx';
import { StatusSign, statusAt } from './status.tsx';
import { Subject } from './subject.tsx';
import { screenTexts } from './text.ts';
import { loadWaiting } from './waiting.ts';
import styles from './screen.module.css';

const route = getRouteApi('/$siteId/approvals');
const REFRESH_MS = 20_000;
/** Each subject takes a request or two; the others are found by opening them. */
const MOST_SUBJECTS = 20;

const Conversation = onDemand(async () => (await import('./conversation.tsx')).Conversation, Loading);

/** The requests of agents to a person. */
export function Screen(): ReactNode {
  const { agent } = route.useSearch();
  return agent === undefined ? <Requests /> : <Conversation key={agent} agentId={agent} />;
}

function Requests(): ReactNode {
  const { id: siteId } = useSite();
  const { show } = route.useSearch();
  const navigate = route.useNavigate();
  const text = useText(screenTexts);
  const nameOf = useActionName();
  const list = useList<Approval>({
    key: ['approvals', { show }],
    load: (presswork, page, options) =>
      show === 'all' ? presswork.approvals.list(page, options) : loadWaiting(presswork, page.cursor, options),
    refreshMs: REFRESH_MS,
  });
  return (
    <Page title={text.title} about={text.about}>
      <nav className={styles.filters} aria-label={text.filters.label}>
        <Link to="/$siteId/approvals" params={{ siteId }} activeOptions={{ exact: true }}>
          {text.filters.waiting}
        </Link>
        <Link
          to="/$siteId/approvals"
          params={{ siteId }}
          search={{ show: 'all' }}
          activeOptions={{ exact: true }}
        >
          {text.filters.all}
        </Link>
      </nav>
      {show !== 'all' && <Conversations waiting={list.rows} />}
      <DataTable
        label={text.title}
        list={list}
        columns={useColumns(new Set(list.rows.slice(0, MOST_SUBJECTS).map(({ id }) => id)))}
        idOf={({ id }) => id}
        nameOf={nameOf}
        onOpen={({ id }) =>
          void navigate({ to: '/$siteId/approvals/$approvalId', params: { siteId, approvalId: id } })
        }
        empty={
          show === 'all' ? (
            <EmptyState title={text.none}>{text.emptyAbout}</EmptyState>
          ) : (
            <EmptyState title={text.empty}>{text.emptyAbout}</EmptyState>
          )
        }
      />
    </Page>
  );
}

/** Agents that wait for several answers, which can be given together. */
function Conversations({ waiting }: { readonly waiting: readonly Approval[] }): ReactNode {
  const { id: siteId, rights } = useSite();
  const text = useText(screenTexts).conversation;
  const several = [...Map.groupBy(waiting, ({ requested_by: { id } }) => id).values()].filter(
    ({ length }) => length > 1,
  );
  if (!rights.administers || several.length === 0) return null;
  return (
    <ul className={styles.conversations}>
      {several.map((requests) => {
        const [first] = requests;
        if (first === undefined) return null;
        const { id, name } = first.requested_by;
        return (
          <li key={id}>
            <span>{text.waits(isolated(name), requests.length)}</span>
            <ButtonLink
              variant="default"
              size="xs"
              to="/$siteId/approvals"
              params={{ siteId }}
              search={{ agent: id }}
              aria-label={text.openOf(isolated(name), requests.length)}
            >
              {text.open(requests.length)}
            </ButtonLink>
          </li>
        );
      })}
    </ul>
  );
}

/** @param named those whose subject is read, too */
function useColumns(named: ReadonlySet<string>): readonly Column<Approval>[] {
  const { id: siteId } = useSite();
  const { columns: text } = useText(screenTexts);
  const actionName = useActionName();
  const now = useNow();
  return [
    {
      key: 'action',
      title: text.action,
      main: true,
      cell: (approval) => (
        <Link
          to="/$siteId/approvals/$approvalId"
          params={{ siteId, approvalId: approval.id }}
          className={styles.action}
        >
          {named.has(approval.id) ? <Subject approval={approval} /> : actionName(approval)}
        </Link>
      ),
    },
    {
      key: 'agent',
      title: text.agent,
      cell: ({ requested_by: { name } }) => <bdi className={styles.agent}>{name}</bdi>,
    },
    {
      key: 'status',
      title: text.status,
      cell: (approval) => <StatusSign status={statusAt(approval, now)} />,
    },
    { key: 'asked', title: text.asked, cell: ({ created_at: time }) => <RelativeTime time={time} /> },
    {
      key: 'expires',
      title: text.expires,
      cell: (approval) =>
        ['pending', 'approved'].includes(statusAt(approval, now)) && <Expiry time={approval.expires_at} />,
    },
  ];
}
