import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Result, Webhook } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { isConflict } from '../../api/queries.ts';
import { endpointEvents } from '../../content/event-types.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Alert, Modal } from '../../ui/controls.ts';
import { EndpointForm } from './endpoint-form.tsx';
import type { EndpointValues } from './endpoint-form.tsx';
import { screenTexts } from './text.ts';

export interface EditDialogProps {
  readonly webhook: Result<Webhook>;
  readonly onClose: () => void;
}

/** Changes an endpoint. If somebody else was faster, their version is shown and the input stays. */
export function EditDialog({ webhook, onClose }: EditDialogProps): ReactNode {
  const { presswork } = useSite();
  const { form: text } = useText(screenTexts);
  const format = useFormat();
  const [base, setBase] = useState(webhook);
  const [initial] = useState<EndpointValues>({
    url: webhook.url,
    events: endpointEvents.filter((name) => webhook.events.includes(name)),
    description: webhook.description,
  });
  const save = useChange({
    send: async (client, values: EndpointValues) => {
      try {
        return await client.webhooks.update(webhook.id, values, { ifMatch: base });
      } catch (error) {
        if (isConflict(error)) setBase(await presswork.webhooks.get(webhook.id));
        throw error;
      }
    },
    touches: ['webhooks'],
    item: ['webhooks', webhook.id],
    done: () => text.saved,
    onDone: onClose,
    errors: 'here',
  });
  const conflict = isConflict(save.error);
  return (
    <Modal opened size="lg" onClose={onClose} title={text.edit} closeOnClickOutside={false}>
      <EndpointForm
        initial={initial}
        action={text.save}
        error={conflict ? null : save.error}
        isPending={save.isPending}
        onSubmit={(values) => save.mutate(values)}
        onCancel={onClose}
        note={
          conflict && (
            <Alert role="alert" color="orange">
              {text.conflict(base.url, format.list(base.events))}
            </Alert>
          )
        }
      />
    </Modal>
  );
}
