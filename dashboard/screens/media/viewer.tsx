import { useEffect } from 'react';
import type { ReactNode } from 'react';
import type { MediaAsset, Result } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { AltTextForm } from './alt-text.tsx';
import { markdownOf, useNameOf } from './names.ts';
import { screenTexts } from './text.ts';
import styles from './viewer.module.css';

export interface ViewerProps {
  readonly id: string;
  /** Those that are loaded, in the order of the grid. */
  readonly images: readonly MediaAsset[];
  readonly onShow: (id: string) => void;
  readonly onClose: () => void;
  readonly onDelete: (image: MediaAsset) => void;
}

/** One image, large, with all that is known of it. */
export function Viewer({ id, images, onShow, onClose, onDelete }: ViewerProps): ReactNode {
  const nameOf = useNameOf();
  const text = useText(screenTexts);
  const image = useItem({
    key: ['media', id],
    load: (presswork, options) => presswork.media.get(id, options),
  });
  const at = images.findIndex((each) => each.id === id);
  const listed = images[at];
  const shown = image.data ?? listed;
  return (
    <Dialog opened onClose={onClose} title={shown === undefined ? text.title : nameOf(shown)} size="xl">
      <Others previous={images[at - 1]} next={at === -1 ? undefined : images[at + 1]} onShow={onShow} />
      {image.error !== null && <ErrorNote error={image.error} retry={() => void image.refetch()} />}
      {image.error === null && image.data === undefined && <Loading />}
      {image.data !== undefined && <Whole key={id} image={image.data} onDelete={onDelete} />}
    </Dialog>
  );
}

interface OthersProps {
  readonly previous: MediaAsset | undefined;
  readonly next: MediaAsset | undefined;
  readonly onShow: (id: string) => void;
}

function Others({ previous, next, onShow }: OthersProps): ReactNode {
  const text = useText(screenTexts).view;
  useEffect(() => {
    const onKeyDown = ({ key, target }: KeyboardEvent): void => {
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
      const wanted = { ArrowLeft: previous, ArrowRight: next }[key];
      if (wanted !== undefined) onShow(wanted.id);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
  return (
    <div className={styles.others}>
      <Button
        size="xs"
        variant="default"
        aria-keyshortcuts="ArrowLeft"
        disabled={previous === undefined}
        onClick={() => previous && onShow(previous.id)}
      >
        {text.previous}
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-keyshortcuts="ArrowRight"
        disabled={next === undefined}
        onClick={() => next && onShow(next.id)}
      >
        {text.next}
      </Button>
    </div>
  );
}

interface WholeProps {
  readonly image: Result<MediaAsset>;
  readonly onDelete: (image: MediaAsset) => void;
}

function Whole({ image, onDelete }: WholeProps): ReactNode {
  const text = useText(screenTexts);
  const { rights } = useSite();
  return (
    <>
      <div className={styles.frame}>
        <img
          src={image.url}
          alt={image.alt_text ?? ''}
          width={image.width ?? undefined}
          height={image.height ?? undefined}
        />
      </div>
      <div className={styles.parts}>
        {rights.can('media:write') ? <AltTextForm image={image} /> : <p dir="auto">{image.alt_text}</p>}
        <Details image={image} />
        <CopyField label={text.view.url} value={image.url} />
        <CopyField label={text.view.markdown} value={markdownOf(image)} />
        {rights.can('media:write') && (
          <div>
            <Button variant="light" color="red" onClick={() => onDelete(image)}>
              {text.view.delete}
            </Button>
          </div>
        )}
      </div>
    </>
  );
}

function Details({ image }: { readonly image: MediaAsset }): ReactNode {
  const text = useText(screenTexts);
  const format = useFormat();
  const rows: readonly (readonly [string, string | null])[] = [
    [text.bucket, (text.buckets as Readonly<Record<string, string>>)[image.bucket] ?? image.bucket],
    [text.view.type, image.mime_type],
    [text.view.size, image.size_bytes === null ? null : format.bytes(image.size_bytes)],
    [
      text.view.dimensions,
      image.width === null || image.height === null
        ? null
        : text.pixels(format.number(image.width), format.number(image.height)),
    ],
    [text.view.added, format.dateTime(image.created_at)],
  ];
  return (
    <dl className={styles.details}>
      {rows.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
