import { useState } from 'react';
import type { ReactNode } from 'react';
import type { BulkItem, BulkJob } from '../../../sdk/src/index.ts';
import { ArticleName, MOST_NAMES, articleNameTexts } from '../../content/article-name.tsx';
import { useText } from '../../text/texts.ts';
import { Switch } from '../../ui/controls.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Sign } from '../../ui/sign.tsx';
import styles from './screen.module.css';
import { screenTexts } from './text.ts';

const tones = { waiting: 'quiet', done: 'good', failed: 'bad' } as const;
type State = keyof typeof tones;

const stateOf = ({ status }: BulkItem): State =>
  (['done', 'failed'] as const).find((known) => known === status) ?? 'waiting';

/** The result of each article. */
export function Items({ job }: { readonly job: BulkJob }): ReactNode {
  const text = useText(screenTexts);
  const names = useText(articleNameTexts);
  const [onlyFailed, setOnlyFailed] = useState(false);
  const failed = job.items.filter((item) => stateOf(item) === 'failed');
  const rows = onlyFailed && failed.length > 0 ? failed : job.items;
  return (
    <>
      {failed.length > 0 && (
        <Switch
          className={styles.only}
          label={text.onlyFailed}
          checked={onlyFailed}
          onChange={({ currentTarget }) => setOnlyFailed(currentTarget.checked)}
        />
      )}
      <DataTable
        label={text.columns.article}
        list={{ ...whole, rows }}
        columns={useColumns(job, rows)}
        idOf={({ article_id: id }) => id}
        nameOf={({ article_id: id }) => names.article(id)}
        empty={null}
      />
    </>
  );
}

/** A list that is there in one piece. */
const whole = {
  isLoading: false,
  isStale: false,
  firstPage: undefined,
  error: null,
  hasMore: false,
  isLoadingMore: false,
  loadMore: () => {},
  reload: () => {},
};

function useColumns(job: BulkJob, rows: readonly BulkItem[]): readonly Column<BulkItem>[] {
  const text = useText(screenTexts);
  const names = useText(articleNameTexts);
  const named = new Set(rows.slice(0, MOST_NAMES).map(({ article_id: id }) => id));
  const isDeleted = (item: BulkItem): boolean => job.action === 'delete' && stateOf(item) === 'done';
  return [
    {
      key: 'article',
      title: text.columns.article,
      main: true,
      cell: (item) =>
        isDeleted(item) ? (
          names.article(item.article_id)
        ) : (
          <ArticleName id={item.article_id} isNamed={named.has(item.article_id)} />
        ),
    },
    {
      key: 'result',
      title: text.columns.result,
      cell: (item) => (
        <Sign tone={tones[stateOf(item)]}>
          {stateOf(item) === 'waiting' && job.finished_at !== null
            ? text.notBegun
            : text.items[stateOf(item)]}
        </Sign>
      ),
    },
    {
      key: 'reason',
      title: text.columns.reason,
      cell: ({ error }) =>
        error !== null && (
          <span className={styles.reason} dir="auto">
            {error.message}
          </span>
        ),
    },
  ];
}
