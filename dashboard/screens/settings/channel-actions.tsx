import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Channel } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useText } from '../../text/texts.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { Menu } from '../../ui/controls.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { channelTexts } from './channel-text.ts';

const EditChannel = onDemand(async () => (await import('./channel-dialog.tsx')).EditChannel);
const TestDialog = onDemand(async () => (await import('../../content/test-result.tsx')).TestDialog);

type Asked = 'test' | 'edit' | 'remove';

/** The actions of a channel. */
export function ChannelActions({ channel }: { readonly channel: Channel }): ReactNode {
  const text = useText(channelTexts);
  const { id, name, enabled } = channel;
  const [asked, setAsked] = useState<Asked | null>(null);
  const end = (): void => setAsked(null);
  const toggle = useChange({
    send: (presswork) => presswork.notifications.updateChannel(id, { enabled: !enabled }),
    touches: ['channels'],
    done: ({ enabled: isOn }) => (isOn ? text.enabled(name) : text.disabled(name)),
  });
  const remove = useChange({
    send: (presswork) => presswork.notifications.deleteChannel(id),
    touches: ['channels'],
    done: () => text.removed,
    errors: 'here',
  });
  return (
    <>
      <RowMenu label={text.actionsFor(name)}>
        <Menu.Item onClick={() => setAsked('test')}>{text.test}</Menu.Item>
        <Menu.Item onClick={() => setAsked('edit')}>{text.edit}</Menu.Item>
        <Menu.Item onClick={() => toggle.mutate()}>{enabled ? text.disable : text.enable}</Menu.Item>
        <Menu.Item color="red" onClick={() => setAsked('remove')}>
          {text.remove}
        </Menu.Item>
      </RowMenu>
      {asked === 'test' && (
        <TestDialog name={name} test={(presswork) => presswork.notifications.testChannel(id)} onClose={end} />
      )}
      {asked === 'edit' && <EditChannel channelId={id} onClose={end} />}
      <ConfirmDialog
        opened={asked === 'remove'}
        danger
        onClose={end}
        title={text.removeTitle(name)}
        action={text.removeNow}
        onConfirm={() => remove.mutateAsync()}
      >
        {text.removeAbout}
      </ConfirmDialog>
    </>
  );
}
