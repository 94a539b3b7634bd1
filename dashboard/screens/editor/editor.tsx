import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { ReadOnly } from '../../ui/read-only.tsx';
import { useMayWrite, useSaving, useSession } from './article/use-article.ts';
import type { EditorDialog } from './editor-dialog.ts';
import { Head } from './head.tsx';
import { Conflict } from './history/conflict.tsx';
import { Notices } from './notices.tsx';
import { Panels } from './panels/panels.tsx';
import { useNextStep } from './publishing/next-step.ts';
import { screenTexts } from './text.ts';
import { Writing } from './writing/writing.tsx';
import styles from './editor.module.css';

const PublishDialog = onDemand(async () => (await import('./publishing/publish-dialog.tsx')).PublishDialog);
const RevisionsDialog = onDemand(
  async () => (await import('./history/revisions-dialog.tsx')).RevisionsDialog,
);
const PreviewLinks = onDemand(async () => (await import('./publishing/preview-links.tsx')).PreviewLinks);
const DeleteDialog = onDemand(async () => (await import('./publishing/delete-dialog.tsx')).DeleteDialog);
const KeysDialog = onDemand(async () => (await import('./keys-dialog.tsx')).KeysDialog);

/** One open article: what is written on one side, and how it looks and what belongs to it on the other. */
export function Editor(): ReactNode {
  const text = useText(screenTexts);
  const title = useSaving(({ mine }) => mine.title);
  const hasConflict = useSaving(({ phase }) => phase === 'conflict');
  const mayWrite = useMayWrite();
  const [dialog, setDialog] = useState<EditorDialog | null>(null);
  const name = title?.trim() ? title : text.untitled;
  useAddress();
  useEffect(() => {
    document.title = `${name} · Presswork`;
  }, [name]);
  const close = useCallback(() => setDialog(null), []);
  const open = useCallback((wanted: EditorDialog) => setDialog((shown) => shown ?? wanted), []);
  useKeys(open);
  return (
    <div className={styles.editor}>
      <h1 className={styles.heading} tabIndex={-1} dir="auto">
        {name}
      </h1>
      <Head onOpen={open} />
      <Notices />
      <div className={styles.columns}>
        <ReadOnly when={!mayWrite}>
          <Writing />
          <Panels />
        </ReadOnly>
      </div>
      {dialog === 'publish' && <PublishDialog onClose={close} />}
      {dialog === 'revisions' && <RevisionsDialog onClose={close} />}
      {dialog === 'previewLinks' && <PreviewLinks onClose={close} />}
      {dialog === 'delete' && <DeleteDialog onClose={close} />}
      {dialog === 'keys' && <KeysDialog onClose={close} />}
      {hasConflict && <Conflict />}
    </div>
  );
}

/** A new article gets its address when it has been saved; what is being typed goes on. */
function useAddress(): void {
  const { id: siteId } = useSite();
  const id = useSaving(({ base }) => base.id);
  const first = useRef(id);
  const navigate = useNavigate();
  useEffect(() => {
    if (id === null || id === first.current) return;
    first.current = id;
    void navigate({
      to: '/$siteId/articles/$articleId',
      params: { siteId, articleId: id },
      replace: true,
      state: { keepsFocus: true },
    });
  }, [id, siteId, navigate]);
}

/** The keys of the screen, wherever the focus is. */
function useKeys(onOpen: (dialog: EditorDialog) => void): void {
  const { saver } = useSession();
  const canPublish = useNextStep() !== null;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isCommand = event.metaKey || event.ctrlKey;
      const isTyping =
        event.target instanceof Element &&
        event.target.closest('input, textarea, [contenteditable=true]') !== null;
      if (isCommand && event.key === 's') void saver.flush();
      else if (isCommand && event.key === 'Enter' && canPublish) onOpen('publish');
      else if (event.key === '?' && !isTyping) onOpen('keys');
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [saver, canPublish, onOpen]);
}
