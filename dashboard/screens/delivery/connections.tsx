import type { ReactNode } from 'react';
import type { Connection } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import type { LoadedList } from '../../api/list.ts';
import { useText } from '../../text/texts.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Sign } from '../../ui/sign.tsx';
import { ConnectionActions } from './connection-actions.tsx';
import styles from './delivery.module.css';
import { addressOf, knownKind } from './kinds.ts';
import { screenTexts } from './text.ts';

const REFRESH_MS = 10_000;

export const useConnections = (): LoadedList<Connection> =>
  useList<Connection>({
    key: ['connections'],
    load: (presswork, page, options) => presswork.connections.list(page, options),
    refreshMs: REFRESH_MS,
  });

export interface ConnectionsProps {
  readonly list: LoadedList<Connection>;
  readonly mayManage: boolean;
  /** The control that adds the first one. */
  readonly add: ReactNode;
}

/** The connections of the Site, and how they are. */
export function Connections({ list, mayManage, add }: ConnectionsProps): ReactNode {
  const text = useText(screenTexts);
  return (
    <DataTable
      label={text.connections}
      list={list}
      columns={useColumns()}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      {...(mayManage && {
        actions: (connection: Connection) => <ConnectionActions connection={connection} />,
      })}
      empty={
        <EmptyState title={text.none} action={add}>
          {text.noneAbout}
        </EmptyState>
      }
    />
  );
}

function useColumns(): readonly Column<Connection>[] {
  const text = useText(screenTexts);
  const kindName = (kind: string): string => {
    const known = knownKind(kind);
    return known === null ? kind : text.kinds[known];
  };
  return [
    {
      key: 'name',
      title: text.columns.name,
      main: true,
      cell: ({ name, kind, config }) => (
        <div className={styles.row}>
          <span className={styles.name} dir="auto">
            {name}
          </span>
          <span className={styles.soft}>
            {kindName(kind)} · <bdi>{addressOf(config)}</bdi>
          </span>
        </div>
      ),
    },
    { key: 'state', title: text.columns.state, cell: (connection) => <State connection={connection} /> },
    {
      key: 'how',
      title: text.columns.how,
      cell: ({ auto }) => (auto ? text.auto : text.byHand),
    },
  ];
}

function State({
  connection: { enabled, last_error: error },
}: {
  readonly connection: Connection;
}): ReactNode {
  const { states } = useText(screenTexts);
  if (!enabled) return <Sign tone="quiet">{states.paused}</Sign>;
  if (error === null) return <Sign tone="good">{states.good}</Sign>;
  return (
    <div className={styles.row}>
      <Sign tone="bad">{states.failing}</Sign>
      <span className={`${styles.soft} ${styles.reason}`} dir="auto">
        {error}
      </span>
    </div>
  );
}
