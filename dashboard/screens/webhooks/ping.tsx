import { useState } from 'react';
import type { ReactNode } from 'react';
import { useChange } from '../../api/change.ts';
import { useItem } from '../../api/item.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Button, Text } from '../../ui/controls.ts';
import { endpointTexts } from './endpoint-text.ts';
import { useResult } from './result.tsx';

const POLL_MS = 1_000;
/** An answer may take 10 s, and the sending begins at once. */
const LONGEST_MS = 20_000;

/** Sends a test event, and says what the server answered. */
export function Ping({ webhookId }: { readonly webhookId: string }): ReactNode {
  const text = useText(endpointTexts);
  const [sent, setSent] = useState<{ readonly eventId: string; readonly at: number } | null>(null);
  const ping = useChange({
    send: (presswork) => presswork.webhooks.ping(webhookId),
    touches: [],
    onDone: ({ event_id: eventId }) => setSent({ eventId, at: Date.now() }),
  });
  return (
    <div>
      <Button loading={ping.isPending} onClick={() => ping.mutate()}>
        {text.ping}
      </Button>
      <div role="status">
        {sent !== null && <Outcome key={sent.eventId} webhookId={webhookId} {...sent} />}
      </div>
    </div>
  );
}

interface OutcomeProps {
  readonly webhookId: string;
  readonly eventId: string;
  readonly at: number;
}

function Outcome({ webhookId, eventId, at }: OutcomeProps): ReactNode {
  const text = useText(endpointTexts);
  const format = useFormat();
  const result = useResult();
  const { data: delivery } = useItem({
    key: ['deliveries', webhookId, 'ping', eventId],
    load: async (presswork, options) =>
      (await presswork.webhooks.listDeliveries(webhookId, { event_id: eventId, limit: 1 }, options)).items.at(
        0,
      ) ?? null,
    refreshMs: (found) => (found || Date.now() - at > LONGEST_MS ? false : POLL_MS),
  });
  const message =
    delivery === undefined || delivery === null
      ? Date.now() - at > LONGEST_MS
        ? text.pingSlow
        : text.pinging
      : delivery.status === 'succeeded'
        ? text.pinged(delivery.response_status ?? 200, format.number(delivery.duration_ms))
        : text.pingFailed(result(delivery));
  return (
    <Text size="sm" mt={6}>
      {message}
    </Text>
  );
}
