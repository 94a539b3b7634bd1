import { useState } from 'react';
import type { ReactNode } from 'react';
import { useChange } from '../../api/change.ts';
import { useText } from '../../text/texts.ts';
import { Modal } from '../../ui/controls.ts';
import { EndpointForm } from './endpoint-form.tsx';
import type { EndpointValues } from './endpoint-form.tsx';
import { Secret } from './secret.tsx';
import { screenTexts } from './text.ts';

const nothing: EndpointValues = { url: '', events: [], description: null };

/** Asks for a new endpoint, and shows its secret afterwards. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const text = useText(screenTexts);
  const [made, setMade] = useState<{ readonly secret: string | null } | null>(null);
  const create = useChange({
    // The secret is kept by this dialog alone, and not in what has been changed.
    send: async (presswork, values: EndpointValues, { idempotencyKey }) => {
      const { secret } = await presswork.webhooks.create(values, { idempotencyKey });
      setMade({ secret });
    },
    touches: ['webhooks'],
    errors: 'here',
  });
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={made === null ? text.form.create : text.secret.title}
      closeOnClickOutside={false}
      closeOnEscape={made === null}
    >
      {made === null ? (
        <EndpointForm
          initial={nothing}
          action={text.add}
          error={create.error}
          isPending={create.isPending}
          onSubmit={(values) => create.mutate(values)}
          onCancel={onClose}
        />
      ) : (
        <Secret secret={made.secret} onClose={onClose} />
      )}
    </Modal>
  );
}
