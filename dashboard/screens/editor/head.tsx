import type { ReactNode } from 'react';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { ActionIcon, Button, Menu } from '../../ui/controls.ts';
import { Icon } from '../../ui/icons.tsx';
import { TextLink } from '../../ui/links.ts';
import { Sign } from '../../ui/sign.tsx';
import { StatusBadge } from '../../content/status-badge.tsx';
import { SiteTime } from '../../ui/times.tsx';
import { useMayWrite, useSaving } from './article/use-article.ts';
import type { EditorDialog } from './editor-dialog.ts';
import { useLifecycle } from './publishing/lifecycle.ts';
import { useNextStep } from './publishing/next-step.ts';
import { SaveStatus } from './save-status.tsx';
import { screenTexts } from './text.ts';
import styles from './editor.module.css';

/** Where the article is on its way to its readers, and its next actions. */
export function Head({ onOpen }: { readonly onOpen: (dialog: EditorDialog) => void }): ReactNode {
  const text = useText(screenTexts);
  const { id: siteId, rights } = useSite();
  const {
    status,
    scheduled_publish_at: scheduledAt,
    edit_scheduled_at: editAt,
  } = useSaving(({ base }) => base.lifecycle);
  const isCreated = useSaving(({ base }) => base.id !== null);
  const hasEdit = useSaving(({ base }) => base.target === 'pending' && base.etag !== null);
  const { unpublish, cancelSchedule, discard, isBusy } = useLifecycle();
  const mayWrite = rights.can('articles:write');
  const isOwnToChange = useMayWrite();
  const isShown = status === 'published' || status === 'scheduled';
  const time = status === 'scheduled' ? scheduledAt : editAt;
  const nextStep = useNextStep();
  return (
    <header className={styles.head}>
      <nav className={styles.crumbs} aria-label={text.path}>
        <TextLink to="/$siteId/articles" params={{ siteId }}>
          {text.articles}
        </TextLink>
      </nav>
      <StatusBadge status={status} />
      {hasEdit && <Sign tone="warn">{text.unpublishedChanges}</Sign>}
      {time !== null && (
        <span className={styles.time}>
          <Icon name="clock" size={15} /> <SiteTime time={time} />
        </span>
      )}
      <SaveStatus />
      <div className={styles.actions}>
        {nextStep !== null && (
          <Button
            loading={isBusy}
            onClick={() => onOpen('publish')}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            {text[nextStep]}
          </Button>
        )}
        <Menu position="bottom-end" width={230}>
          <Menu.Target>
            <ActionIcon variant="default" size="lg" aria-label={text.more}>
              <Icon name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {isCreated && <Menu.Item onClick={() => onOpen('revisions')}>{text.revisions}</Menu.Item>}
            {isCreated && mayWrite && (
              <Menu.Item onClick={() => onOpen('previewLinks')}>{text.previewLinks}</Menu.Item>
            )}
            <Menu.Item onClick={() => onOpen('keys')}>{text.keys}</Menu.Item>
            {isCreated && mayWrite && (
              <>
                <Menu.Divider />
                {time !== null && rights.publishes && (
                  <Menu.Item onClick={cancelSchedule}>{text.cancelSchedule}</Menu.Item>
                )}
                {hasEdit && isOwnToChange && <Menu.Item onClick={discard}>{text.discardChanges}</Menu.Item>}
                {status === 'published' && rights.publishes && (
                  <Menu.Item onClick={unpublish}>{text.unpublish}</Menu.Item>
                )}
                {(rights.publishes || !isShown) && (
                  <Menu.Item color="red" onClick={() => onOpen('delete')}>
                    {text.delete}
                  </Menu.Item>
                )}
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      </div>
    </header>
  );
}
