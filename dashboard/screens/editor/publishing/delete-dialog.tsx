import type { ReactNode } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../../api/change.ts';
import { useSite } from '../../../api/site.ts';
import { useText } from '../../../text/texts.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { useSaving, useSession } from '../article/use-article.ts';
import { screenTexts } from '../text.ts';
import { publishTexts } from './text.ts';

/** Asks before the article is deleted, and leaves it then. */
export function DeleteDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const text = useText(publishTexts);
  const screen = useText(screenTexts);
  const { id: siteId } = useSite();
  const session = useSession();
  const navigate = useNavigate();
  const id = useSaving(({ base }) => base.id);
  const title = useSaving(({ mine }) => mine.title) || screen.untitled;
  const remove = useChange({
    send: (presswork) => presswork.articles.delete(id ?? ''),
    touches: ['articles'],
    errors: 'here',
    done: () => text.deleted(title),
    onDone: () => {
      void session.discard();
      void navigate({ to: '/$siteId/articles', params: { siteId } });
    },
  });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={text.deleteTitle(title)}
      action={text.deleteNow}
      danger
      onConfirm={() => remove.mutateAsync()}
    >
      {text.deleteAbout}
    </ConfirmDialog>
  );
}
