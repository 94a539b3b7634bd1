import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Channel } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Sign } from '../../ui/sign.tsx';
import { ChannelActions } from './channel-actions.tsx';
import { channelTexts } from './channel-text.ts';
import styles from './settings.module.css';

const CreateChannel = onDemand(async () => (await import('./channel-dialog.tsx')).CreateChannel);

/** As many as a Site may have. */
const MOST = 10;
const REFRESH_MS = 10_000;

export function ChannelsSettings(): ReactNode {
  const text = useText(channelTexts);
  const [adding, setAdding] = useState(false);
  const list = useList<Channel>({
    key: ['channels'],
    load: (presswork, page, options) => presswork.notifications.listChannels(page, options),
    refreshMs: REFRESH_MS,
  });
  const add = list.rows.length < MOST && (
    <Button variant="default" onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  );
  return (
    <section className={styles.section} aria-labelledby="channels">
      <h2 id="channels">{text.title}</h2>
      <p className={styles.about}>{text.about}</p>
      <DataTable
        label={text.title}
        list={list}
        columns={[
          {
            key: 'name',
            title: text.columns.name,
            main: true,
            cell: (channel) => <Name channel={channel} />,
          },
          { key: 'state', title: text.columns.state, cell: (channel) => <State channel={channel} /> },
        ]}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        actions={(channel) => <ChannelActions channel={channel} />}
        empty={<EmptyState title={text.none} action={add} />}
      />
      {list.rows.length > 0 && add}
      {adding && <CreateChannel onClose={() => setAdding(false)} />}
    </section>
  );
}

interface RowProps {
  readonly channel: Channel;
}

function Name({ channel: { name, kind, url } }: RowProps): ReactNode {
  const { kinds } = useText(channelTexts);
  return (
    <div className={styles.row}>
      <span dir="auto">{name}</span>
      <span className={styles.soft}>
        {kind === 'teams' ? kinds.teams : kinds.slack} · <bdi>{url}</bdi>
      </span>
    </div>
  );
}

function State({ channel: { enabled, last_error: error } }: RowProps): ReactNode {
  const { states } = useText(channelTexts);
  if (!enabled) return <Sign tone="quiet">{states.off}</Sign>;
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
