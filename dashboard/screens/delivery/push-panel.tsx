import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Push, PushItem } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { ArticleName, MOST_NAMES } from '../../content/article-name.tsx';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { Anchor, Button, Group } from '../../ui/controls.ts';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { Sign } from '../../ui/sign.tsx';
import type { Tone } from '../../ui/sign.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import styles from './delivery.module.css';
import { pushTexts } from './push-text.ts';
import { screenTexts } from './text.ts';
import { useStartPush } from './use-start-push.ts';

const POLL_MS = 2_000;

export interface PushPanelProps {
  readonly pushId: string;
  /** The name of a connection. */
  readonly nameOf: (connectionId: string) => string;
  /** Another push was started from here. */
  readonly onPushed: (pushId: string) => void;
  readonly onClose: () => void;
}

/** One push: the result of each article, and its actions. */
export function PushPanel({ pushId, nameOf, onPushed, onClose }: PushPanelProps): ReactNode {
  const text = useText(pushTexts);
  const { data: push, error } = useItem({
    key: ['pushes', pushId],
    load: (presswork, options) => presswork.pushes.get(pushId, options),
    refreshMs: (read) => (read?.finished_at === null ? POLL_MS : false),
  });
  return (
    <SidePanel onClose={onClose} title={text.title}>
      {error !== null ? (
        <ErrorNote error={error} />
      ) : push === undefined ? (
        <Loading />
      ) : (
        <>
          <Head push={push} name={nameOf(push.connection_id)} />
          <ul className={styles.items}>
            {push.items.map((item, index) => (
              <Item key={item.article_id} item={item} isNamed={index < MOST_NAMES} />
            ))}
          </ul>
          {push.finished_at !== null && <Again push={push} onPushed={onPushed} />}
        </>
      )}
    </SidePanel>
  );
}

function Head({ push, name }: { readonly push: Push; readonly name: string }): ReactNode {
  const text = useText(screenTexts);
  return (
    <p className={styles.soft}>
      {text.articles(push.items.length)} <span dir="auto">{text.to(name)}</span> ·{' '}
      <RelativeTime time={push.created_at} />
    </p>
  );
}

const tones: Readonly<Record<string, Tone>> = {
  waiting: 'busy',
  succeeded: 'good',
  failed: 'bad',
  diverged: 'warn',
};

function Item({ item, isNamed }: { readonly item: PushItem; readonly isNamed: boolean }): ReactNode {
  const text = useText(pushTexts);
  const { article_id: id, status, remote_url: url, error, attempts } = item;
  const statuses: Readonly<Record<string, string>> = text.statuses;
  return (
    <li>
      <ArticleName id={id} isNamed={isNamed} />
      <Sign tone={tones[status] ?? 'quiet'}>{statuses[status] ?? status}</Sign>
      {error !== null && (
        <p dir="auto">
          {error} {status === 'waiting' && text.again}
        </p>
      )}
      <p className={styles.soft}>
        {text.attempts(attempts)}
        {url !== null && /^https?:/.test(url) && (
          <>
            {' · '}
            <Anchor href={url} target="_blank" rel="noreferrer" inherit>
              {text.open}
            </Anchor>
          </>
        )}
      </p>
    </li>
  );
}

/** Pushes once more the failed articles. */
function Again({ push, onPushed }: { readonly push: Push } & Pick<PushPanelProps, 'onPushed'>): ReactNode {
  const { rights } = useSite();
  const text = useText(pushTexts);
  const [asks, setAsks] = useState(false);
  const start = useStartPush(({ id }) => onPushed(id));
  const idsOf = (status: string): string[] =>
    push.items.filter((item) => item.status === status).map(({ article_id: id }) => id);
  const [failed, diverged] = [idsOf('failed'), idsOf('diverged')];
  const { connection_id: connectionId } = push;
  if (!rights.can('pipeline:run') || failed.length + diverged.length === 0) return null;
  return (
    <Group className={styles.again}>
      {failed.length > 0 && (
        <Button
          loading={start.isPending}
          onClick={() => start.mutate({ connection_id: connectionId, article_ids: failed })}
        >
          {text.retry(failed.length)}
        </Button>
      )}
      {diverged.length > 0 && (
        <Button variant="default" onClick={() => setAsks(true)}>
          {text.force(diverged.length)}
        </Button>
      )}
      <ConfirmDialog
        opened={asks}
        danger
        onClose={() => setAsks(false)}
        title={text.forceTitle}
        action={text.force(diverged.length)}
        onConfirm={() =>
          start.mutateAsync({ connection_id: connectionId, article_ids: diverged, force: true })
        }
      >
        {text.forceAbout}
      </ConfirmDialog>
    </Group>
  );
}
