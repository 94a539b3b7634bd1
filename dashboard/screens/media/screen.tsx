import { useState } from 'react';
import type { ReactNode } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import type { MediaAsset } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useList } from '../../api/list.ts';
import { useSite, useSiteId } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { Button, NativeSelect, useHotkeys } from '../../ui/controls.ts';
import { EmptyState } from '../../ui/notes.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { toast } from '../../session/toast.ts';
import { Grid } from './grid.tsx';
import { useNameOf } from './names.ts';
import { buckets } from './search.ts';
import type { Bucket, MediaSearch } from './search.ts';
import { screenTexts } from './text.ts';
import { UploadPanel } from './uploads/panel.tsx';
import { uploadsOf } from './uploads/queue.ts';
import { UploadButton } from './uploads/upload-button.tsx';
import { usePaste } from './uploads/use-paste.ts';
import styles from './screen.module.css';

const route = getRouteApi('/$siteId/media');
const DropArea = onDemand(async () => (await import('./uploads/drop-area.tsx')).DropArea);
const Viewer = onDemand(async () => (await import('./viewer.tsx')).Viewer);

export function Screen(): ReactNode {
  const text = useText(screenTexts);
  const { rights } = useSite();
  const { image, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const upload = useUpload(filters.bucket ?? 'blog-images');
  const [deleting, setDeleting] = useState<MediaAsset | null>(null);
  const list = useList({
    key: ['media', filters],
    load: (presswork, page, options) => presswork.media.list({ ...filters, ...page }, options),
  });
  const show = (id: string | undefined): void => {
    const search: MediaSearch = id === undefined ? filters : { ...filters, image: id };
    void navigate({ search, replace: true, resetScroll: false });
  };
  const isFiltered = filters.q !== undefined || filters.bucket !== undefined;
  const mayAdd = rights.can('media:write');
  usePaste(mayAdd ? upload : null);
  return (
    <Page title={text.title} about={text.about} actions={mayAdd && <UploadButton onFiles={upload} />}>
      {mayAdd && <DropArea onFiles={upload} />}
      <UploadPanel />
      <FilterBar filters={filters} onChange={(search) => void navigate({ search, replace: true })} />
      <Grid
        list={list}
        onDelete={setDeleting}
        empty={
          isFiltered ? (
            <EmptyState
              title={text.notFound}
              action={
                <Button variant="default" onClick={() => void navigate({ search: {} })}>
                  {text.showAll}
                </Button>
              }
            >
              {text.notFoundAbout}
            </EmptyState>
          ) : (
            <EmptyState title={text.none}>{text.noneAbout}</EmptyState>
          )
        }
      />
      {image !== undefined && deleting === null && (
        <Viewer
          id={image}
          images={list.rows}
          onShow={show}
          onClose={() => show(undefined)}
          onDelete={setDeleting}
        />
      )}
      <DeleteImage image={deleting} onClose={() => setDeleting(null)} onDeleted={() => show(undefined)} />
    </Page>
  );
}

/** Sends files to the bucket that is shown. */
function useUpload(bucket: Bucket): (files: readonly File[]) => void {
  const text = useText(screenTexts).upload;
  const format = useFormat();
  const siteId = useSiteId();
  return (files) => {
    const leftOut = uploadsOf(siteId).add(files, bucket);
    if (leftOut > 0) toast.error(text.tooMany(format.number(leftOut)));
  };
}

interface FilterBarProps {
  readonly filters: MediaSearch;
  readonly onChange: (filters: MediaSearch) => void;
}

function FilterBar({ filters: { q, bucket }, onChange }: FilterBarProps): ReactNode {
  const text = useText(screenTexts);
  useHotkeys([['/', () => document.querySelector<HTMLInputElement>('main input[type=search]')?.focus()]]);
  return (
    <search className={styles.bar}>
      <SearchField
        className={styles.search}
        label={text.search}
        value={q ?? ''}
        onChange={(typed) => onChange({ ...(bucket && { bucket }), ...(typed !== '' && { q: typed }) })}
      />
      <NativeSelect
        label={text.bucket}
        data={[
          { value: '', label: text.everything },
          ...buckets.map((value) => ({ value, label: text.buckets[value] })),
        ]}
        value={bucket ?? ''}
        onChange={({ currentTarget }) => {
          const chosen = buckets.find((each) => each === currentTarget.value);
          onChange({ ...(q !== undefined && { q }), ...(chosen && { bucket: chosen }) });
        }}
      />
    </search>
  );
}

interface DeleteImageProps {
  readonly image: MediaAsset | null;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeleteImage({ image, onClose, onDeleted }: DeleteImageProps): ReactNode {
  const text = useText(screenTexts).removal;
  const nameOf = useNameOf();
  const remove = useChange({
    send: (presswork, { id }: MediaAsset) => presswork.media.delete(id),
    touches: ['media'],
    errors: 'here',
    done: (_, removed) => text.done(nameOf(removed)),
    onDone: onDeleted,
  });
  if (image === null) return null;
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={text.title(nameOf(image))}
      action={text.action}
      danger
      onConfirm={() => remove.mutateAsync(image)}
    >
      {text.about}
    </ConfirmDialog>
  );
}
