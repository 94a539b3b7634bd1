import type { ReactNode } from 'react';
import type { MediaAsset } from '../../../sdk/src/index.ts';
import type { LoadedList } from '../../api/list.ts';
import { useText } from '../../text/texts.ts';
import { Button, Skeleton } from '../../ui/controls.ts';
import { ErrorNote } from '../../ui/notes.tsx';
import { Card } from './card.tsx';
import { screenTexts } from './text.ts';
import styles from './grid.module.css';

export interface GridProps {
  readonly list: LoadedList<MediaAsset>;
  readonly onDelete: (image: MediaAsset) => void;
  /** Shown if there are no images. */
  readonly empty: ReactNode;
}

/** The images that are loaded, newest first. */
export function Grid({ list, onDelete, empty }: GridProps): ReactNode {
  const text = useText(screenTexts);
  const { rows, error } = list;
  if (list.isLoading && error === null) return <Waiting label={text.loading} />;
  if (error !== null && rows.length === 0) return <ErrorNote error={error} retry={list.reload} />;
  if (rows.length === 0) return empty;
  return (
    <>
      <ul className={styles.grid} aria-label={text.library} data-stale={list.isStale || undefined}>
        {rows.map((image) => (
          <Card key={image.id} image={image} onDelete={onDelete} />
        ))}
      </ul>
      {error !== null && <ErrorNote error={error} retry={list.loadMore} />}
      {list.hasMore && (
        <div className={styles.more}>
          <Button variant="default" loading={list.isLoadingMore} onClick={list.loadMore}>
            {text.more}
          </Button>
        </div>
      )}
    </>
  );
}

const Waiting = ({ label }: { readonly label: string }): ReactNode => (
  <div className={styles.grid} role="status" aria-label={label}>
    {Array.from({ length: 8 }, (_, index) => (
      <Skeleton key={index} height={240} />
    ))}
  </div>
);
