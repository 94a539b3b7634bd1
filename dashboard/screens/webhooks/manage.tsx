import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from '@tanstack/react-router';
import type { Result, Webhook } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { Button, Modal } from '../../ui/controls.ts';
import { endpointTexts } from './endpoint-text.ts';
import { Secret } from './secret.tsx';
import { screenTexts } from './text.ts';
import styles from './webhook.module.css';

type Asked = 'pause' | 'rotate' | 'remove';

/** The rare actions of an endpoint, each with a question before. */
export function Manage({ webhook }: { readonly webhook: Result<Webhook> }): ReactNode {
  const text = useText(endpointTexts);
  const { secret: secretText } = useText(screenTexts);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [rotated, setRotated] = useState<{ readonly secret: string | null } | null>(null);
  const changes = useChanges(webhook, setRotated);
  const actions: readonly Asked[] = webhook.enabled ? ['pause', 'rotate', 'remove'] : ['rotate', 'remove'];
  const questions = {
    pause: { title: text.pauseTitle, about: text.pauseAbout, action: text.pause },
    rotate: { title: text.rotateTitle, about: text.rotateMore, action: text.rotate },
    remove: { title: text.removeTitle, about: text.removeMore, action: text.removeNow },
  };
  return (
    <>
      <div className={styles.head}>
        <h2>{text.manage}</h2>
      </div>
      <div className={styles.manage}>
        {actions.map((name) => (
          <div key={name}>
            <p>{text[`${name}About`]}</p>
            <Button
              variant="default"
              color={name === 'remove' ? 'red' : undefined}
              size="sm"
              onClick={() => setAsked(name)}
            >
              {text[name]}
            </Button>
          </div>
        ))}
      </div>
      {asked !== null && (
        <ConfirmDialog
          opened
          danger={asked === 'remove'}
          onClose={() => setAsked(null)}
          title={questions[asked].title}
          action={questions[asked].action}
          onConfirm={() => changes[asked].mutateAsync()}
        >
          {questions[asked].about}
        </ConfirmDialog>
      )}
      {rotated !== null && (
        <Modal
          opened
          size="lg"
          onClose={() => setRotated(null)}
          title={secretText.title}
          closeOnClickOutside={false}
          closeOnEscape={false}
        >
          <Secret secret={rotated.secret} onClose={() => setRotated(null)} />
        </Modal>
      )}
    </>
  );
}

function useChanges(webhook: Result<Webhook>, onRotated: (answer: { secret: string | null }) => void) {
  const { id: siteId } = useSite();
  const text = useText(endpointTexts);
  const navigate = useNavigate();
  const pause = useChange({
    send: (presswork) => presswork.webhooks.update(webhook.id, { enabled: false }, { ifMatch: webhook }),
    touches: ['webhooks'],
    item: ['webhooks', webhook.id],
    done: () => text.paused,
    errors: 'here',
  });
  const rotate = useChange({
    // The secret is kept by the dialog alone, and not in what has been changed.
    send: async (presswork, _: void, { idempotencyKey }) => {
      const { secret } = await presswork.webhooks.rotateSecret(webhook.id, { idempotencyKey });
      onRotated({ secret });
    },
    touches: ['webhooks'],
    errors: 'here',
  });
  const remove = useChange({
    send: (presswork) => presswork.webhooks.delete(webhook.id, { ifMatch: webhook }),
    touches: ['webhooks'],
    done: () => text.removed,
    onDone: () => void navigate({ to: '/$siteId/webhooks', params: { siteId } }),
    errors: 'here',
  });
  return { pause, rotate, remove };
}
