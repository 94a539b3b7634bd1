import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Channel, Result } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useItem } from '../../api/item.ts';
import { isConflict } from '../../api/queries.ts';
import { useSite } from '../../api/site.ts';
import { notificationKinds } from '../../content/notification-kinds.ts';
import { TestResult } from '../../content/test-result.tsx';
import { testTexts } from '../../content/test-texts.ts';
import { useText } from '../../text/texts.ts';
import { Alert } from '../../ui/controls.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { ChannelForm } from './channel-form.tsx';
import type { ChannelValues } from './channel-form.tsx';
import { channelTexts } from './channel-text.ts';

const nothing: ChannelValues = { kind: 'slack', name: '', url: '', kinds: notificationKinds };

/** Asks for a new channel, and tests it at once. */
export function CreateChannel({ onClose }: { readonly onClose: () => void }): ReactNode {
  const text = useText(channelTexts);
  const tests = useText(testTexts);
  const [made, setMade] = useState<Channel | null>(null);
  const create = useChange({
    send: (presswork, values: ChannelValues, { idempotencyKey }) =>
      presswork.notifications.createChannel(values, { idempotencyKey }),
    touches: ['channels'],
    onDone: setMade,
    errors: 'here',
  });
  return (
    <Dialog
      opened
      onClose={onClose}
      title={made === null ? text.add : tests.title(made.name)}
      closesOutside={false}
    >
      {made === null ? (
        <ChannelForm
          initial={nothing}
          stored={null}
          action={text.add}
          error={create.error}
          isPending={create.isPending}
          onSubmit={(values) => create.mutate(values)}
          onCancel={onClose}
        />
      ) : (
        <TestResult test={(presswork) => presswork.notifications.testChannel(made.id)} onClose={onClose} />
      )}
    </Dialog>
  );
}

export interface EditChannelProps {
  readonly channelId: string;
  readonly onClose: () => void;
}

/** Changes a channel, as it is now. */
export function EditChannel({ channelId, onClose }: EditChannelProps): ReactNode {
  const text = useText(channelTexts);
  const { data, error } = useItem({
    key: ['channels', channelId],
    load: (presswork, options) => presswork.notifications.getChannel(channelId, options),
  });
  return (
    <Dialog opened onClose={onClose} title={text.editTitle} closesOutside={false}>
      {error !== null ? (
        <ErrorNote error={error} />
      ) : data === undefined ? (
        <Loading />
      ) : (
        <Edit channel={data} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface EditProps {
  readonly channel: Result<Channel>;
  readonly onClose: () => void;
}

function Edit({ channel, onClose }: EditProps): ReactNode {
  const { presswork } = useSite();
  const text = useText(channelTexts);
  const [base, setBase] = useState(channel);
  const { id, name, kinds } = channel;
  const kind = channel.kind === 'teams' ? 'teams' : 'slack';
  // Kinds of a later version come back as they are.
  const told = kinds as ChannelValues['kinds'];
  const [initial] = useState<ChannelValues>({ kind, name, url: '', kinds: told });
  const save = useChange({
    send: async (client, { url, ...values }: ChannelValues) => {
      try {
        const changes = { ...values, ...(url !== '' && { url }) };
        return await client.notifications.updateChannel(id, changes, { ifMatch: base });
      } catch (error) {
        if (isConflict(error)) setBase(await presswork.notifications.getChannel(id));
        throw error;
      }
    },
    touches: ['channels'],
    item: ['channels', id],
    done: () => text.saved,
    onDone: onClose,
    errors: 'here',
  });
  const conflict = isConflict(save.error);
  return (
    <ChannelForm
      initial={initial}
      stored={{ kind, host: channel.url }}
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
