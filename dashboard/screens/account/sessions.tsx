import { useState } from 'react';
import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { request } from '../../session/request.ts';
import { useText } from '../../text/texts.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { Button } from '../../ui/controls.ts';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { Sign } from '../../ui/sign.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { browserName } from './browser-name.ts';
import { Section } from './section.tsx';
import styles from './sessions.module.css';
import { screenTexts } from './text.ts';
import { sessionsKey, useAccountChange } from './use-account-change.ts';

interface Session {
  readonly id: string;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly browser: string;
  readonly current: boolean;
}

export function Sessions(): ReactNode {
  const text = useText(screenTexts).sessions;
  const [isAsking, setAsking] = useState(false);
  const sessions = useQuery({
    queryKey: sessionsKey,
    queryFn: async () => (await request<{ sessions: readonly Session[] }>('GET', '/sessions')).sessions,
  });
  const endOthers = useAccountChange({
    method: 'POST',
    path: '/sessions/end-others',
    done: text.othersEnded,
  });
  return (
    <Section title={text.title} about={text.about}>
      {sessions.error !== null && <ErrorNote error={sessions.error} retry={() => void sessions.refetch()} />}
      {sessions.isPending && <Loading />}
      {sessions.data !== undefined && (
        <ul className={styles.sessions} aria-label={text.list}>
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      {(sessions.data?.length ?? 0) > 1 && (
        <Button variant="default" onClick={() => setAsking(true)}>
          {text.endOthers}
        </Button>
      )}
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={text.othersTitle}
        action={text.endOthers}
        onConfirm={() => endOthers.mutateAsync()}
      >
        {text.othersAbout}
      </ConfirmDialog>
    </Section>
  );
}

function SessionRow({ session }: { readonly session: Session }): ReactNode {
  const text = useText(screenTexts).sessions;
  const end = useAccountChange<string>({
    method: 'DELETE',
    path: (id) => `/sessions/${id}`,
    done: text.ended,
    errors: 'notice',
  });
  const known = browserName(session.browser);
  const name = known === null ? text.unknown : text.browser(known.browser, known.system);
  return (
    <li className={styles.session}>
      <div className={styles.about}>
        <p className={styles.name} title={session.browser}>
          {name}
        </p>
        <p className={styles.times}>
          {text.begun} <RelativeTime time={session.created_at} /> · {text.used}{' '}
          <RelativeTime time={session.last_used_at} />
        </p>
      </div>
      {session.current ? (
        <Sign tone="good">{text.current}</Sign>
      ) : (
        <Button
          size="xs"
          variant="default"
          aria-label={text.endOf(name)}
          loading={end.isPending}
          onClick={() => end.mutate(session.id)}
        >
          {text.end}
        </Button>
      )}
    </li>
  );
}
