import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { Webhook } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { isMissing } from '../../api/queries.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Drawer, Stack, Text } from '../../ui/controls.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { Sign } from '../../ui/sign.tsx';
import styles from './event.module.css';
import { screenTexts } from './text.ts';

export interface EventDrawerProps {
  readonly eventId: string;
  readonly onClose: () => void;
}

/** One event: its body, and who got it. */
export function EventDrawer({ eventId, onClose }: EventDrawerProps): ReactNode {
  const text = useText(screenTexts);
  const format = useFormat();
  const { data, error, refetch } = useItem({
    key: ['events', eventId],
    load: (presswork, options) => presswork.events.get(eventId, options),
  });
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={data?.event ?? text.title}
      closeButtonProps={{ 'aria-label': text.close }}
    >
      {isMissing(error) && <p role="alert">{text.gone}</p>}
      {error !== null && !isMissing(error) && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && (
        <Stack gap="lg">
          <CopyField label={text.id} value={eventId} />
          <Text size="sm">
            {text.time}: <time dateTime={data.created_at}>{format.dateTime(data.created_at)}</time>
          </Text>
          <Receivers eventId={eventId} />
          <JsonView title={text.body} value={data} />
        </Stack>
      )}
    </Drawer>
  );
}

/** The endpoints, ten at most, and the last attempt at each. */
function Receivers({ eventId }: { readonly eventId: string }): ReactNode {
  const text = useText(screenTexts);
  const { data, error } = useItem({
    key: ['webhooks', 'receivers'],
    load: async (presswork, options) => (await presswork.webhooks.list({ limit: 100 }, options)).items,
  });
  if (error !== null) return <ErrorNote error={error} />;
  return (
    <section>
      <h3 className={styles.title}>{text.sent}</h3>
      {data?.length === 0 && <p>{text.noEndpoint}</p>}
      <ul className={styles.receivers}>
        {data?.map((webhook) => (
          <Receiver key={webhook.id} webhook={webhook} eventId={eventId} />
        ))}
      </ul>
    </section>
  );
}

function Receiver({ webhook, eventId }: { readonly webhook: Webhook; readonly eventId: string }): ReactNode {
  const text = useText(screenTexts);
  const { id: siteId } = useSite();
  const { data } = useItem({
    key: ['deliveries', webhook.id, 'last', eventId],
    load: async (presswork, options) =>
      (
        await presswork.webhooks.listDeliveries(webhook.id, { event_id: eventId, limit: 1 }, options)
      ).items.at(0) ?? null,
  });
  return (
    <li>
      <Link
        to="/$siteId/webhooks/$webhookId"
        params={{ siteId, webhookId: webhook.id }}
        search={data ? { event: eventId } : {}}
        dir="ltr"
      >
        {webhook.url}
      </Link>
      {data === null && <Sign tone="quiet">{text.notSent}</Sign>}
      {data && (
        <Sign tone={data.status === 'succeeded' ? 'good' : 'bad'}>
          {data.status === 'succeeded' ? text.delivered : text.failed}
        </Sign>
      )}
    </li>
  );
}
