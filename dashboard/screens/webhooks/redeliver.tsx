import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Delivery } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { logTexts } from './log-text.ts';
import styles from './webhook.module.css';

export interface RedeliverProps {
  readonly webhookId: string;
  readonly deliveries: readonly Delivery[];
  readonly onDone: () => void;
}

/** Sends the selected events again, after it has said which. */
export function Redeliver({ webhookId, deliveries, onDone }: RedeliverProps): ReactNode {
  const text = useText(logTexts);
  const [asking, setAsking] = useState(false);
  const send = useRedeliver(webhookId);
  return (
    <section className={styles.selection} aria-label={text.selected(deliveries.length)}>
      <span role="status">{text.selected(deliveries.length)}</span>
      <Button size="xs" onClick={() => setAsking(true)}>
        {text.redeliver}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={text.redeliverTitle(deliveries.length)}
        action={text.redeliverAll(deliveries.length)}
        onConfirm={async () => {
          await send.mutateAsync(deliveries.map(({ id }) => id));
          onDone();
        }}
      >
        <p>{text.redeliverAbout}</p>
        <ul className={styles.list}>
          {deliveries.map(({ id, event, attempted_at: time }) => (
            <li key={id}>
              <code>{event}</code>, <RelativeTime time={time} />
            </li>
          ))}
        </ul>
      </ConfirmDialog>
    </section>
  );
}

/** One after the other, so that a refusal stops the rest. */
export function useRedeliver(webhookId: string) {
  const text = useText(logTexts);
  return useChange({
    send: async (presswork, deliveryIds: readonly string[]) => {
      for (const id of deliveryIds) await presswork.webhooks.redeliver(webhookId, id);
      return deliveryIds.length;
    },
    touches: ['deliveries'],
    done: (count) => text.redelivered(count),
  });
}
