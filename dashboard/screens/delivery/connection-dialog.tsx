import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Connection, Result } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useItem } from '../../api/item.ts';
import { isConflict } from '../../api/queries.ts';
import { useSite } from '../../api/site.ts';
import { TestResult } from '../../content/test-result.tsx';
import { testTexts } from '../../content/test-texts.ts';
import { useText } from '../../text/texts.ts';
import { Alert } from '../../ui/controls.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { ConnectionForm } from './connection-form.tsx';
import type { ConnectionValues } from './connection-form.tsx';
import { formTexts } from './form-text.ts';
import { knownKind } from './kinds.ts';
import { screenTexts } from './text.ts';

const nothing: ConnectionValues = { kind: 'git', name: '', config: {}, secret: '', auto: true };

/** Asks for a new connection, and tests it at once. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const text = useText(formTexts);
  const { add } = useText(screenTexts);
  const tests = useText(testTexts);
  const [made, setMade] = useState<Connection | null>(null);
  const create = useChange({
    send: (presswork, { secret, ...values }: ConnectionValues, { idempotencyKey }) =>
      presswork.connections.create({ ...values, ...(secret !== '' && { secret }) }, { idempotencyKey }),
    touches: ['connections'],
    onDone: setMade,
    errors: 'here',
  });
  return (
    <Dialog
      opened
      size="lg"
      onClose={onClose}
      title={made === null ? text.create : tests.title(made.name)}
      closesOutside={false}
    >
      {made === null ? (
        <ConnectionForm
          initial={nothing}
          stored={null}
          action={add}
          error={create.error}
          isPending={create.isPending}
          onSubmit={(values) => create.mutate(values)}
          onCancel={onClose}
        />
      ) : (
        <TestResult test={(presswork) => presswork.connections.test(made.id)} onClose={onClose} />
      )}
    </Dialog>
  );
}

export interface EditDialogProps {
  readonly connectionId: string;
  readonly onClose: () => void;
}

/** Changes a connection, as it is now. */
export function EditDialog({ connectionId, onClose }: EditDialogProps): ReactNode {
  const text = useText(formTexts);
  const { data, error } = useItem({
    key: ['connections', connectionId],
    load: (presswork, options) => presswork.connections.get(connectionId, options),
  });
  return (
    <Dialog opened size="lg" onClose={onClose} title={text.edit} closesOutside={false}>
      {error !== null ? (
        <ErrorNote error={error} />
      ) : data === undefined ? (
        <Loading />
      ) : (
        <Edit connection={data} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface EditProps {
  readonly connection: Result<Connection>;
  readonly onClose: () => void;
}

function Edit({ connection, onClose }: EditProps): ReactNode {
  const { presswork } = useSite();
  const text = useText(formTexts);
  const [base, setBase] = useState(connection);
  const { id, kind, name, config, secret_set: hasSecret, auto } = connection;
  const [initial] = useState<ConnectionValues>({
    kind: knownKind(kind) ?? 'http',
    name,
    config,
    secret: '',
    auto,
  });
  const save = useChange({
    send: async (client, { name, config, secret, auto }: ConnectionValues) => {
      const changes = { name, config, auto, ...(secret !== '' && { secret }) };
      try {
        return await client.connections.update(id, changes, { ifMatch: base });
      } catch (error) {
        if (isConflict(error)) setBase(await presswork.connections.get(id));
        throw error;
      }
    },
    touches: ['connections'],
    item: ['connections', id],
    done: () => text.saved,
    onDone: onClose,
    errors: 'here',
  });
  const conflict = isConflict(save.error);
  return (
    <ConnectionForm
      initial={initial}
      stored={{ hasSecret }}
      action={text.save}
      error={conflict ? null : save.error}
      isPending={save.isPending}
      onSubmit={(values) => save.mutate(values)}
      onCancel={onClose}
      note={
        conflict && (
          <Alert role="alert" color="orange">
            {text.conflict}
          </Alert>
        )
      }
    />
  );
}
