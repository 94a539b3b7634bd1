import type { ReactNode } from 'react';
import type { ApiKey } from '../../../sdk/src/index.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Badge } from '../../ui/controls.ts';
import type { Column } from '../../ui/data-table.tsx';
import { Sign } from '../../ui/sign.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { timeLeft, useNow } from './countdown.ts';
import type { KeyEvents } from './events.ts';
import { isOfDashboard, stateOf } from './state.ts';
import { taskOf } from './tasks.ts';
import { screenTexts } from './text.ts';
import styles from './columns.module.css';

const tones = { active: 'good', ending: 'warn', expired: 'quiet', revoked: 'bad' } as const;

/** The columns of a key in the list. */
export function useColumns({ devices, graces }: KeyEvents): readonly Column<ApiKey>[] {
  const text = useText(screenTexts);
  return [
    {
      key: 'name',
      title: text.columns.name,
      main: true,
      cell: (key) => <Name subject={key} isOfDevice={devices.has(key.id)} />,
    },
    { key: 'access', title: text.columns.access, cell: (key) => <Access scopes={key.scopes} /> },
    {
      key: 'state',
      title: text.columns.state,
      cell: (key) => <State subject={key} graceEnds={graces.get(key.id)} />,
    },
    {
      key: 'used',
      title: text.columns.used,
      cell: ({ last_used_at: used }) => (used === null ? text.never : <RelativeTime time={used} />),
    },
  ];
}

function Name({
  subject,
  isOfDevice,
}: {
  readonly subject: ApiKey;
  readonly isOfDevice: boolean;
}): ReactNode {
  const text = useText(screenTexts).marks;
  const marks = [
    subject.held_by_agent && text.agent,
    subject.drafts_only && text.drafts,
    isOfDevice && text.device,
    isOfDashboard(subject) && text.dashboard,
    subject.kind === 'publishable' && text.publishable,
  ].filter((mark) => mark !== false);
  return (
    <div className={styles.name}>
      <span className={styles.title}>
        <bdi>{subject.name}</bdi>
        {marks.map((mark) => (
          <Badge key={mark} variant="default" size="sm" tt="none">
            {mark}
          </Badge>
        ))}
      </span>
      <code className={styles.prefix}>{subject.key_prefix}…</code>
    </div>
  );
}

function Access({ scopes }: Pick<ApiKey, 'scopes'>): ReactNode {
  const text = useText(screenTexts);
  const format = useFormat();
  const task = taskOf(scopes);
  if (task !== null) return <span title={scopes.join(', ')}>{text.tasks[task]}</span>;
  if (scopes.length === 0) return text.nothing;
  if (scopes.length < 3) return <code className={styles.prefix}>{scopes.join(', ')}</code>;
  return <span title={scopes.join(', ')}>{text.scopes(format.number(scopes.length))}</span>;
}

interface StateProps {
  readonly subject: ApiKey;
  readonly graceEnds: number | undefined;
}

function State({ subject, graceEnds = 0 }: StateProps): ReactNode {
  const text = useText(screenTexts);
  const format = useFormat();
  const now = useNow(graceEnds > Date.now());
  const state = stateOf(subject, now);
  const end = subject.revoked_at ?? subject.expires_at;
  return (
    <div className={styles.state}>
      <Sign tone={tones[state]}>{text.states[state]}</Sign>
      {end !== null && (
        <span className={styles.more}>
          {state === 'active' || state === 'ending' ? text.until(format.date(end)) : format.date(end)}
        </span>
      )}
      {state !== 'revoked' && graceEnds > now && (
        <span className={styles.more}>{text.grace(timeLeft(graceEnds - now))}</span>
      )}
    </div>
  );
}
