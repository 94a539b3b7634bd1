import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { NativeSelect } from '../../ui/controls.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, fieldError, FormButtons } from '../../ui/form.tsx';
import { ButtonLink } from '../../ui/links.ts';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { useConnections } from './connections.tsx';
import styles from './delivery.module.css';
import { pushTexts } from './push-text.ts';
import { useStartPush } from './use-start-push.ts';

export interface PushDialogProps {
  readonly articleIds: readonly string[];
  readonly onClose: () => void;
}

/** Asks where articles are pushed to, pushes them, and shows the push. */
export function PushDialog({ articleIds, onClose }: PushDialogProps): ReactNode {
  const { id: siteId } = useSite();
  const text = useText(pushTexts);
  const { rows, isLoading, error } = useConnections();
  const connections = rows.filter(({ enabled }) => enabled);
  return (
    <Dialog opened onClose={onClose} title={text.choose}>
      {error !== null ? (
        <ErrorNote error={error} />
      ) : isLoading ? (
        <Loading />
      ) : connections.length === 0 ? (
        <>
          <p>{text.none}</p>
          <ButtonLink to="/$siteId/delivery" params={{ siteId }}>
            {text.toDelivery}
          </ButtonLink>
        </>
      ) : (
        <Choose articleIds={articleIds} connections={connections} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface ChooseProps extends PushDialogProps {
  readonly connections: readonly { readonly id: string; readonly name: string }[];
}

function Choose({ articleIds, connections, onClose }: ChooseProps): ReactNode {
  const { id: siteId } = useSite();
  const text = useText(pushTexts);
  const navigate = useNavigate();
  const [connection, setConnection] = useState(connections[0]?.id ?? '');
  const start = useStartPush(({ id }) => {
    onClose();
    void navigate({ to: '/$siteId/delivery', params: { siteId }, search: { push: id } });
  });
  return (
    <Form
      onSubmit={() => start.mutate({ connection_id: connection, article_ids: [...articleIds] })}
      error={start.error}
      actions={
        <FormButtons isPending={start.isPending} onCancel={onClose}>
          {text.push(articleIds.length)}
        </FormButtons>
      }
    >
      <NativeSelect
        label={text.connection}
        data-autofocus
        data={connections.map(({ id, name }) => ({ value: id, label: name }))}
        value={connection}
        onChange={({ currentTarget }) => setConnection(currentTarget.value)}
        {...fieldError(start.error, 'connection_id')}
      />
      <p className={styles.soft}>{text.pushAbout}</p>
    </Form>
  );
}
