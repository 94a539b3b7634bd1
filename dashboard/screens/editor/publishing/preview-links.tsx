import { useState } from 'react';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/change.ts';
import { useList } from '../../../api/list.ts';
import { useText } from '../../../text/texts.ts';
import { Button, Group, Select, Stack } from '../../../ui/controls.ts';
import { CopyField } from '../../../ui/copy-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/notes.tsx';
import { RelativeTime } from '../../../ui/times.tsx';
import { useSaving, useSession } from '../article/use-article.ts';
import { publishTexts } from './text.ts';
import styles from '../panels/panels.module.css';

const lives = { hour: 3_600, day: 86_400, week: 604_800, month: 2_592_000 } as const;
type Life = keyof typeof lives;

/** Links by which everybody sees the article. */
export function PreviewLinks({ onClose }: { readonly onClose: () => void }): ReactNode {
  const text = useText(publishTexts);
  const session = useSession();
  const articleId = useSaving(({ base }) => base.id) ?? '';
  const [life, setLife] = useState<Life>('week');
  const [url, setUrl] = useState<string | null>(null);
  const links = useList({
    key: ['previewLinks', articleId],
    load: (presswork, page, options) => presswork.articles.listPreviewLinks(articleId, page, options),
  });
  const create = useChange({
    send: async (presswork, expiresIn: number, options) => {
      // The link shows the saved text.
      await session.saver.flush();
      return presswork.articles.createPreviewLink(articleId, { expires_in: expiresIn }, options);
    },
    touches: ['previewLinks'],
    onDone: (link) => setUrl(link.url),
  });
  const remove = useChange({
    send: (presswork, id: string) => presswork.articles.deletePreviewLink(articleId, id),
    touches: ['previewLinks'],
    done: () => text.linkDeleted,
  });
  return (
    <Dialog opened onClose={onClose} title={text.linksTitle} size="lg">
      <Stack>
        <p className={styles.address}>{text.linksAbout}</p>
        <Group align="flex-end">
          <Select
            label={text.linkExpires}
            data={(Object.keys(lives) as Life[]).map((value) => ({ value, label: text[value] }))}
            value={life}
            onChange={(value) => setLife(value ?? 'week')}
            allowDeselect={false}
          />
          <Button loading={create.isPending} onClick={() => create.mutate(lives[life])}>
            {text.createLink}
          </Button>
        </Group>
        {url !== null && <CopyField label={text.link} value={url} about={text.linkOnce} />}
        {links.error !== null && <ErrorNote error={links.error} retry={links.reload} />}
        {links.rows.length === 0 && !links.isLoading && <p className={styles.address}>{text.noLinks}</p>}
        <ul className={styles.items}>
          {links.rows.map(({ id, expires_at: expiresAt }) => (
            <li key={id}>
              <Group justify="space-between">
                <span>
                  {text.expires} <RelativeTime time={expiresAt} />
                </span>
                <Button size="compact-sm" variant="default" onClick={() => remove.mutate(id)}>
                  {text.deleteLink}
                </Button>
              </Group>
            </li>
          ))}
        </ul>
      </Stack>
    </Dialog>
  );
}
