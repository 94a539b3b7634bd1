import { useState } from 'react';
import type { ReactNode } from 'react';
import type { ApiKey } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useText } from '../../text/texts.ts';
import { NativeSelect } from '../../ui/controls.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldError, Form, FormButtons } from '../../ui/form.tsx';
import { Secret } from './secret.tsx';
import { screenTexts } from './text.ts';

const graces = ['0', '3600', '86400', '604800'] as const;
type Grace = (typeof graces)[number];

export interface RotateKeyProps {
  /** Null while the dialog is closed. */
  readonly subject: ApiKey | null;
  readonly onClose: () => void;
}

export function RotateKey({ subject, onClose }: RotateKeyProps): ReactNode {
  const text = useText(screenTexts).rotation;
  return (
    <Dialog
      opened={subject !== null}
      onClose={onClose}
      title={text.title(subject?.name ?? '')}
      size="lg"
      closesOutside={false}
    >
      {subject !== null && <NewSecret subject={subject} onClose={onClose} />}
    </Dialog>
  );
}

function NewSecret({
  subject,
  onClose,
}: {
  readonly subject: ApiKey;
  readonly onClose: () => void;
}): ReactNode {
  const text = useText(screenTexts);
  const [grace, setGrace] = useState<Grace>('86400');
  const [graceEnds, setGraceEnds] = useState(0);
  const rotate = useChange({
    send: (presswork, grace_seconds: number, options) =>
      presswork.keys.rotate(subject.id, { grace_seconds }, options),
    touches: ['keys'],
    errors: 'here',
    onDone: (_, seconds) => setGraceEnds(Date.now() + seconds * 1_000),
  });
  if (rotate.data !== undefined)
    return <Secret answer={rotate.data} graceEnds={graceEnds} onClose={onClose} />;
  return (
    <Form
      onSubmit={() => rotate.mutate(Number(grace))}
      error={rotate.error}
      actions={
        <FormButtons isPending={rotate.isPending} onCancel={onClose}>
          {text.rotation.submit}
        </FormButtons>
      }
    >
      <p>{text.rotation.about}</p>
      <NativeSelect
        label={text.rotation.grace}
        data={graces.map((value) => ({ value, label: text.rotation.graces[value] }))}
        value={grace}
        onChange={({ currentTarget }) => setGrace(currentTarget.value as Grace)}
        {...fieldError(rotate.error, 'grace_seconds')}
      />
    </Form>
  );
}
