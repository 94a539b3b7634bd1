import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Connection } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useText } from '../../text/texts.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { Menu } from '../../ui/controls.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { knownKind } from './kinds.ts';
import { screenTexts } from './text.ts';

const EditDialog = onDemand(async () => (await import('./connection-dialog.tsx')).EditDialog);
const TestDialog = onDemand(async () => (await import('../../content/test-result.tsx')).TestDialog);

type Asked = 'test' | 'edit' | 'remove';

/** The actions of a connection. */
export function ConnectionActions({ connection }: { readonly connection: Connection }): ReactNode {
  const text = useText(screenTexts);
  const { id, kind, name, enabled } = connection;
  const [asked, setAsked] = useState<Asked | null>(null);
  const end = (): void => setAsked(null);
  const toggle = useChange({
    send: (presswork) => presswork.connections.update(id, { enabled: !enabled }),
    touches: ['connections', 'pushes'],
    done: ({ enabled: isOn }) => (isOn ? text.enabled(name) : text.disabled(name)),
  });
  const remove = useChange({
    send: (presswork) => presswork.connections.delete(id),
    touches: ['connections', 'pushes'],
    done: () => text.removed,
    errors: 'here',
  });
  return (
    <>
      <RowMenu label={text.actionsFor(name)}>
        <Menu.Item onClick={() => setAsked('test')}>{text.test}</Menu.Item>
        {knownKind(kind) !== null && <Menu.Item onClick={() => setAsked('edit')}>{text.edit}</Menu.Item>}
        <Menu.Item onClick={() => toggle.mutate()}>{enabled ? text.disable : text.enable}</Menu.Item>
        <Menu.Item color="red" onClick={() => setAsked('remove')}>
          {text.remove}
        </Menu.Item>
      </RowMenu>
      {asked === 'test' && (
        <TestDialog name={name} test={(presswork) => presswork.connections.test(id)} onClose={end} />
      )}
      {asked === 'edit' && <EditDialog connectionId={id} onClose={end} />}
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
