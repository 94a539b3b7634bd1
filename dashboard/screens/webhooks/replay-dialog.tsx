import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Webhook } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { sinceOf } from '../../content/period.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Modal, Text, TextInput } from '../../ui/controls.ts';
import { Form, fieldError, FormButtons } from '../../ui/form.tsx';
import { endpointTexts } from './endpoint-text.ts';

export interface ReplayDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/** Sends the events that an endpoint missed in a time, after listing them. */
export function ReplayDialog({ webhook, onClose }: ReplayDialogProps): ReactNode {
  const text = useText(endpointTexts);
  const format = useFormat();
  const [since, setSince] = useState(() => fieldTime(sinceOf('day')));
  const [until, setUntil] = useState('');
  const replay = useChange({
    send: (presswork) =>
      presswork.webhooks.replay(webhook.id, {
        since: instant(since) ?? '',
        until: instant(until),
      }),
    touches: ['deliveries'],
    done: ({ events }) => text.replayed(events),
    onDone: onClose,
    errors: 'here',
  });
  return (
    <Modal opened onClose={onClose} title={text.replayTitle} closeOnClickOutside={false}>
      <Form
        onSubmit={() => replay.mutate()}
        error={replay.error}
        actions={
          <FormButtons isPending={replay.isPending} onCancel={onClose}>
            {text.replayNow}
          </FormButtons>
        }
      >
        <Text size="sm">{text.replayAbout(format.list(webhook.events))}</Text>
        <TextInput
          type="datetime-local"
          label={text.since}
          description={text.clock}
          data-autofocus
          required
          value={since}
          onChange={({ currentTarget }) => setSince(currentTarget.value)}
          {...fieldError(replay.error, 'since')}
        />
        <TextInput
          type="datetime-local"
          label={text.until}
          description={text.untilAbout}
          value={until}
          onChange={({ currentTarget }) => setUntil(currentTarget.value)}
          {...fieldError(replay.error, 'until')}
        />
      </Form>
    </Modal>
  );
}

/** The value of a field for an instant, on the clock of the browser. */
function fieldTime(time: string): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const instant = (value: string): string | undefined =>
  value === '' ? undefined : new Date(value).toISOString();
