import { useState } from 'react';
import type { ReactNode } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import type { Result, Webhook } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useItem } from '../../api/item.ts';
import { stateOf } from '../../content/webhook-state.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Alert, Button, Text } from '../../ui/controls.ts';
import { Loading } from '../../ui/notes.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { Unread } from '../../ui/unread.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { endpointTexts } from './endpoint-text.ts';
import { FAILURE_LIMIT, Health } from './health.tsx';
import { logTexts } from './log-text.ts';
import { Manage } from './manage.tsx';
import { Ping } from './ping.tsx';
import { screenTexts } from './text.ts';
import styles from './webhook.module.css';

const EditDialog = onDemand(async () => (await import('./edit-dialog.tsx')).EditDialog);
const ReplayDialog = onDemand(async () => (await import('./replay-dialog.tsx')).ReplayDialog);
const DeliveryDrawer = onDemand(async () => (await import('./delivery.tsx')).DeliveryDrawer);

const route = getRouteApi('/$siteId/webhooks/$webhookId');
const REFRESH_MS = 5_000;

/** One endpoint: its state, its deliveries, and its actions. */
export function Screen(): ReactNode {
  const { webhookId } = route.useParams();
  const { id: siteId } = useSite();
  const text = useText(endpointTexts);
  const { data, error, refetch } = useItem({
    key: ['webhooks', webhookId],
    load: (presswork, options) => presswork.webhooks.get(webhookId, options),
    refreshMs: REFRESH_MS,
  });
  if (data !== undefined) return <Endpoint webhook={data} />;
  const list = { label: text.webhooks, to: `/${siteId}/webhooks` };
  return (
    <Page title={text.title} crumbs={[list]}>
      {error === null ? <Loading /> : <Unread error={error} retry={() => void refetch()} back={list} />}
    </Page>
  );
}

function Endpoint({ webhook }: { readonly webhook: Result<Webhook> }): ReactNode {
  const { id: siteId, rights } = useSite();
  const text = useText(endpointTexts);
  const log = useText(logTexts);
  const { event, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const [dialog, setDialog] = useState<'edit' | 'replay' | null>(null);
  const mayWrite = rights.can('webhooks:write');
  return (
    <Page
      title={webhook.url}
      crumbs={[{ label: text.webhooks, to: `/${siteId}/webhooks` }]}
      actions={
        mayWrite && (
          <>
            <Button variant="default" onClick={() => setDialog('edit')}>
              {text.edit}
            </Button>
            {webhook.enabled && <Ping webhookId={webhook.id} />}
          </>
        )
      }
    >
      <Facts webhook={webhook} />
      <div className={styles.head}>
        <h2>{log.title}</h2>
        {mayWrite && webhook.enabled && (
          <Button variant="default" size="sm" onClick={() => setDialog('replay')}>
            {text.replay}
          </Button>
        )}
      </div>
      <DeliveryLog webhook={webhook} />
      {mayWrite && <Manage webhook={webhook} />}
      {dialog === 'edit' && <EditDialog webhook={webhook} onClose={() => setDialog(null)} />}
      {dialog === 'replay' && <ReplayDialog webhook={webhook} onClose={() => setDialog(null)} />}
      {event !== undefined && (
        <DeliveryDrawer
          webhook={webhook}
          eventId={event}
          onClose={() => void navigate({ search: filters, replace: true })}
        />
      )}
    </Page>
  );
}

function Facts({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const text = useText(endpointTexts);
  const { why } = useText(screenTexts);
  return (
    <div className={styles.facts}>
      <Health webhook={webhook} />
      {stateOf(webhook) === 'failing' && <p className={styles.soft}>{why.failing(FAILURE_LIMIT)}</p>}
      {!webhook.enabled && <TurnedOff webhook={webhook} />}
      {webhook.description !== null && <p dir="auto">{webhook.description}</p>}
      <div className={styles.codes}>
        <span className={styles.soft}>{text.told}</span>
        {webhook.events.map((type) => (
          <code key={type}>{type}</code>
        ))}
      </div>
    </div>
  );
}

function TurnedOff({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { rights } = useSite();
  const { why } = useText(screenTexts);
  const turnOn = useChange({
    send: (presswork) => presswork.webhooks.update(webhook.id, { enabled: true }),
    touches: ['webhooks'],
    done: () => why.isOn,
  });
  const { disabled_reason: reason, disabled_at: since } = webhook;
  const isPaused = stateOf(webhook) === 'paused';
  const because = reason?.startsWith('disabled after') ? why.afterFailures : why.disabled(reason ?? '–');
  return (
    <Alert color={isPaused ? 'gray' : 'red'} variant="outline">
      <Text size="sm">
        {isPaused ? why.paused : because}{' '}
        {since !== null && (
          <>
            {why.since}: <RelativeTime time={since} />.
          </>
        )}{' '}
        {why.missed}
      </Text>
      {rights.can('webhooks:write') && (
        <Button mt="sm" size="xs" loading={turnOn.isPending} onClick={() => turnOn.mutate()}>
          {why.on}
        </Button>
      )}
    </Alert>
  );
}
