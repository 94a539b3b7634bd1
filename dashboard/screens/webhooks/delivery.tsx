import type { ReactNode } from 'react';
import type { Delivery, Webhook } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { isMissing } from '../../api/queries.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Button, Drawer, Stack } from '../../ui/controls.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { logTexts } from './log-text.ts';
import { useRedeliver } from './redeliver.tsx';
import { Timeline } from './timeline.tsx';

const REFRESH_MS = 3_000;
const MOST_ATTEMPTS = 100;

export interface DeliveryDrawerProps {
  readonly webhook: Webhook;
  readonly eventId: string;
  readonly onClose: () => void;
}

/** One event on its way to an endpoint: its attempts, and its body. */
export function DeliveryDrawer({ webhook, eventId, onClose }: DeliveryDrawerProps): ReactNode {
  const text = useText(logTexts);
  const { rights } = useSite();
  const attempts = useItem({
    key: ['deliveries', webhook.id, 'of', eventId],
    load: async (presswork, options) =>
      (
        await presswork.webhooks.listDeliveries(
          webhook.id,
          { event_id: eventId, limit: MOST_ATTEMPTS },
          options,
        )
      ).items,
    refreshMs: REFRESH_MS,
  });
  const redeliver = useRedeliver(webhook.id);
  const [latest] = attempts.data ?? [];
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={latest === undefined ? text.one.title : `${text.one.title}: ${latest.event}`}
      closeButtonProps={{ 'aria-label': text.one.close }}
    >
      {attempts.error !== null && <ErrorNote error={attempts.error} retry={() => void attempts.refetch()} />}
      {attempts.isPending && <Loading />}
      {latest !== undefined && (
        <Stack gap="lg">
          <CopyField label={text.one.event} value={eventId} />
          <Timeline attempts={attempts.data ?? []} isOn={webhook.enabled} />
          {rights.can('webhooks:write') && webhook.enabled && (
            <div>
              <Button loading={redeliver.isPending} onClick={() => redeliver.mutate([latest.id])}>
                {text.redeliver}
              </Button>
            </div>
          )}
          <Sent delivery={latest} />
        </Stack>
      )}
    </Drawer>
  );
}

/** The result of the last attempt. */
function Sent({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const text = useText(logTexts);
  const format = useFormat();
  return (
    <>
      <CodeBlock title={text.one.headers} code={headersOf(delivery, text.one.signature)} />
      {delivery.event === 'ping' ? (
        <JsonView title={text.one.body} value={{ id: delivery.event_id, event: delivery.event, data: {} }} />
      ) : (
        <Body eventId={delivery.event_id} />
      )}
      <CodeBlock
        title={text.one.answer}
        code={`${delivery.response_status === null ? '–' : `HTTP ${delivery.response_status}`} · ${text.one.took(format.number(delivery.duration_ms))}\n${text.one.answerAbout}`}
      />
    </>
  );
}

function Body({ eventId }: { readonly eventId: string }): ReactNode {
  const text = useText(logTexts);
  const { data, error, refetch } = useItem({
    key: ['events', eventId],
    load: (presswork, options) => presswork.events.get(eventId, options),
  });
  if (isMissing(error)) return <p>{text.one.gone}</p>;
  if (error !== null) return <ErrorNote error={error} retry={() => void refetch()} />;
  return data === undefined ? <Loading /> : <JsonView title={text.one.body} value={data} />;
}

/** The headers as they follow from the attempt; the signatures are not kept. */
function headersOf(delivery: Delivery, signature: string): string {
  const timestamp = Math.floor(Date.parse(delivery.attempted_at) / 1_000);
  return Object.entries({
    'Content-Type': 'application/json',
    'User-Agent': 'svc-webhook/1',
    'Service-Signature': `v1=… ${signature}`,
    'Service-Timestamp': timestamp,
    'Service-Delivery': delivery.id,
    'Service-Attempt': delivery.attempt,
    'Service-Event': delivery.event,
    'webhook-id': delivery.event_id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,… ${signature}`,
  })
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
