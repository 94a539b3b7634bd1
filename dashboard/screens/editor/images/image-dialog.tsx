import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { uploadImage } from '../../../content/upload.ts';
import type { MediaAsset } from '../../../../sdk/src/index.ts';
import { useFailure } from '../../../api/failure.ts';
import { useSite } from '../../../api/site.ts';
import { useText } from '../../../text/texts.ts';
import { Button, Group, Progress, Stack, Textarea } from '../../../ui/controls.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { imageMarkdown } from './image-markdown.ts';
import { imageTexts } from './text.ts';
import styles from './images.module.css';

export interface ImageDialogProps {
  readonly file: File;
  readonly onReady: (image: { readonly markdown: string; readonly asset: MediaAsset }) => void;
  readonly onClose: () => void;
}

/** Uploads an image while its description is written. */
export function ImageDialog({ file, onReady, onClose }: ImageDialogProps): ReactNode {
  const text = useText(imageTexts);
  const failure = useFailure();
  const [description, setDescription] = useState('');
  const [isWanted, setWanted] = useState(false);
  const { progress, asset, error, retry } = useUpload(file);
  const { presswork } = useSite();
  const address = useObjectUrl(file);
  useEffect(() => {
    if (asset === null || !isWanted) return;
    const alt = description.trim();
    // The description of the library is for the next article; this one has its own in the text.
    if (alt !== '') void presswork.media.update(asset.id, { alt_text: alt }).catch(() => {});
    onReady({ markdown: imageMarkdown(alt, asset.url), asset });
    setWanted(false);
  }, [asset, isWanted, description, presswork, onReady]);
  return (
    <Dialog opened onClose={onClose} title={text.title} closesOutside={false}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setWanted(true);
        }}
      >
        <Stack>
          {address !== null && <img className={styles.shown} src={address} alt="" />}
          <Textarea
            label={text.description}
            description={text.about}
            data-autofocus
            autosize={false}
            rows={3}
            dir="auto"
            maxLength={1_000}
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          />
          {error === null ? (
            <Progress value={progress} aria-label={text.uploading} />
          ) : (
            <div role="alert">
              <p>{failure(error)}</p>
              <Button size="xs" variant="default" onClick={retry}>
                {text.again}
              </Button>
            </div>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {text.cancel}
            </Button>
            <Button type="submit" loading={isWanted && error === null}>
              {text.insert}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

interface Upload {
  /** In percent. */
  readonly progress: number;
  readonly asset: MediaAsset | null;
  readonly error: unknown;
  readonly retry: () => void;
}

function useUpload(file: File): Upload {
  const { presswork } = useSite();
  const [tries, setTries] = useState(1);
  const [progress, setProgress] = useState(0);
  const [asset, setAsset] = useState<MediaAsset | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    setError(null);
    uploadImage(presswork, file, {
      signal,
      onProgress: ({ sentBytes, totalBytes }) => setProgress((100 * sentBytes) / totalBytes),
    }).then(setAsset, (reason: unknown) => {
      if (!signal.aborted) setError(reason);
    });
    return () => ending.abort();
  }, [presswork, file, tries]);
  return { progress, asset, error, retry: () => setTries(tries + 1) };
}

function useObjectUrl(file: File): string | null {
  const last = useRef<string | null>(null);
  const address = useMemo(() => {
    if (last.current !== null) URL.revokeObjectURL(last.current);
    last.current = URL.createObjectURL(file);
    return last.current;
  }, [file]);
  useEffect(
    () => () => {
      if (last.current !== null) URL.revokeObjectURL(last.current);
    },
    [],
  );
  return address;
}
