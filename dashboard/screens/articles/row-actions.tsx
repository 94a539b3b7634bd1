import { useState } from 'react';
import type { ReactNode } from 'react';
import { useChange } from '../../api/change.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { ActionIcon, Menu } from '../../ui/controls.ts';
import { Icon } from '../../ui/icons.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { actionTexts } from './action-text.ts';
import type { Row } from './row.ts';

const ScheduleDialog = onDemand(async () => (await import('./schedule-dialog.tsx')).ScheduleDialog);

const canPublish = ['draft', 'scheduled', 'generated', 'needs_improvement', 'needs_images', 'queued'];

/** The actions of one article without opening it. */
export function RowActions({ article }: { readonly article: Row }): ReactNode {
  const text = useText(actionTexts);
  const [dialog, setDialog] = useState<'schedule' | 'unpublish' | 'delete' | null>(null);
  const { id, status } = article;
  const title = article.title ?? text.untitled;
  const touches = ['articles'];
  const publish = useChange({
    send: (presswork) => presswork.articles.publish(id),
    touches,
    done: () => text.published(title),
  });
  const unpublish = useChange({
    send: (presswork) => presswork.articles.unpublish(id),
    touches,
    errors: 'here',
    done: () => text.unpublished(title),
  });
  const cancel = useChange({
    send: (presswork) => presswork.articles.cancelSchedule(id),
    touches,
    done: () => text.cancelled(title),
  });
  const schedule = useChange({
    send: (presswork, at: string) => presswork.articles.schedule(id, { scheduled_publish_at: at }),
    touches,
    errors: 'here',
    done: () => text.scheduled(title),
    onDone: () => setDialog(null),
  });
  const remove = useChange({
    send: (presswork) => presswork.articles.delete(id),
    touches,
    errors: 'here',
    done: () => text.deleted(title),
  });
  const { publishes } = useSite().rights;
  const isPublishable = publishes && canPublish.includes(status);
  // Those who do not publish may delete a draft, and nothing else here.
  if (!publishes && (status === 'published' || status === 'scheduled')) return null;
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={text.actions(title)}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isPublishable && <Menu.Item onClick={() => publish.mutate()}>{text.publish}</Menu.Item>}
          {isPublishable && <Menu.Item onClick={() => setDialog('schedule')}>{text.schedule}</Menu.Item>}
          {status === 'scheduled' && (
            <Menu.Item onClick={() => cancel.mutate()}>{text.cancelSchedule}</Menu.Item>
          )}
          {status === 'published' && (
            <Menu.Item onClick={() => setDialog('unpublish')}>{text.unpublish}</Menu.Item>
          )}
          <Menu.Item color="red" onClick={() => setDialog('delete')}>
            {text.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'schedule' && (
        <ScheduleDialog
          onClose={() => setDialog(null)}
          onSchedule={(at) => schedule.mutate(at)}
          isPending={schedule.isPending}
          error={schedule.error}
        />
      )}
      <ConfirmDialog
        opened={dialog === 'unpublish'}
        onClose={() => setDialog(null)}
        title={text.unpublishTitle(title)}
        action={text.unpublishNow}
        danger
        onConfirm={() => unpublish.mutateAsync()}
      >
        {text.unpublishAbout}
      </ConfirmDialog>
      <ConfirmDialog
        opened={dialog === 'delete'}
        onClose={() => setDialog(null)}
        title={text.deleteTitle(title)}
        action={text.deleteNow}
        danger
        onConfirm={() => remove.mutateAsync()}
      >
        {text.deleteAbout}
      </ConfirmDialog>
    </>
  );
}
