import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { clientOf } from '../api/client.ts';
import { request } from '../session/request.ts';
import { useSiteId } from '../api/site.ts';
import { texts, useText } from '../text/texts.ts';
import { Checkbox } from '../ui/controls.ts';
import { ErrorNote, Loading } from '../ui/notes.tsx';
import { SiteTime } from '../ui/times.tsx';
import styles from './left-schedules.module.css';

const leftTexts = texts(
  {
    about: 'What it has scheduled is published all the same:',
    untitled: 'Without a title',
    edit: 'changes',
    more: 'There are more: look at the calendar of each Site.',
    cancel: 'Cancel these schedules',
  },
  {
    about: 'Was dabei geplant wurde, wird trotzdem veröffentlicht:',
    untitled: 'Ohne Titel',
    edit: 'Änderungen',
    more: 'Es gibt noch mehr: Sehen Sie im Kalender jeder Site nach.',
    cancel: 'Diese Planungen aufheben',
  },
);

interface LeftSchedule {
  readonly article_id: string;
  readonly kind: 'article' | 'pending_edit';
  readonly title: string | null;
  readonly at: string;
  readonly site: { readonly id: string; readonly name: string };
}

interface Left {
  readonly schedules: readonly LeftSchedule[];
  readonly is_cut: boolean;
}

/** The schedules that remain once a key is revoked or a member is removed. */
export const useLeftSchedules = (of: 'keys' | 'members', id: string) => {
  const siteId = useSiteId();
  return useQuery({
    queryKey: [siteId, 'schedules', of, id],
    queryFn: () => request<Left>('GET', `/sites/${siteId}/${of}/${id}/schedules`),
    staleTime: 0,
  });
};

/** Cancels them, each in its Site; those that were published or cancelled meanwhile are left alone. */
export async function cancelSchedules({ schedules }: Left): Promise<void> {
  for (const { article_id: articleId, kind, site } of schedules) {
    const { articles } = clientOf(site.id);
    const cancel =
      kind === 'article' ? articles.cancelSchedule(articleId) : articles.cancelPendingEditSchedule(articleId);
    await cancel.catch((error: { status?: number }) => {
      if (error.status !== 404 && error.status !== 409) throw error;
    });
  }
}

export interface LeftSchedulesProps {
  readonly left: ReturnType<typeof useLeftSchedules>;
  readonly cancels: boolean;
  readonly onChange: (cancels: boolean) => void;
}

/** Lists remaining schedules, and offers to cancel them. */
export function LeftSchedules({
  left: { data, error, refetch },
  cancels,
  onChange,
}: LeftSchedulesProps): ReactNode {
  const text = useText(leftTexts);
  if (error !== null) return <ErrorNote error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  if (data.schedules.length === 0) return null;
  return (
    <>
      <p>{text.about}</p>
      <ul className={styles.list}>
        {data.schedules.map(({ article_id: id, kind, title, at, site }) => (
          <li key={`${id} ${kind}`}>
            <span dir="auto">{title ?? text.untitled}</span>
            {kind === 'pending_edit' && ` (${text.edit})`}, <span dir="auto">{site.name}</span>,{' '}
            <SiteTime time={at} />
          </li>
        ))}
      </ul>
      {data.is_cut && <p>{text.more}</p>}
      <Checkbox
        label={text.cancel}
        checked={cancels}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    </>
  );
}
