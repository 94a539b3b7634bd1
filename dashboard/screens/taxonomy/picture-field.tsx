import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { uploadImage } from '../../content/upload.ts';
import { useChange } from '../../api/change.ts';
import { useFailure } from '../../api/failure.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Button, TextInput } from '../../ui/controls.ts';
import { fieldError } from '../../ui/form.tsx';
import { Picture } from './picture.tsx';
import { screenTexts } from './text.ts';
import styles from './term-form.module.css';

const TYPES = 'image/png,image/jpeg,image/webp,image/avif,image/gif';

export interface PictureFieldProps {
  readonly name: string;
  readonly url: string;
  /** Of the form. */
  readonly error: unknown;
  readonly onChange: (url: string) => void;
}

/** The picture of an author: the URL of one that is on the web, or an upload to the Site's media. */
export function PictureField({ name, url, error, onChange }: PictureFieldProps): ReactNode {
  const { form: text } = useText(screenTexts);
  const { rights } = useSite();
  const failure = useFailure();
  const input = useRef<HTMLInputElement>(null);
  const [percent, setPercent] = useState(0);
  const upload = useChange({
    send: (presswork, file: File) =>
      uploadImage(presswork, file, {
        bucket: 'author-avatars',
        onProgress: ({ sentBytes, totalBytes }) => setPercent(Math.floor((sentBytes / totalBytes) * 100)),
      }),
    touches: ['media'],
    onDone: (asset) => onChange(asset.url),
    errors: 'here',
  });
  return (
    <div className={styles.picture}>
      <Picture name={name} url={url === '' ? null : url} size={64} />
      <div className={styles.pictureFields}>
        <TextInput
          label={text.picture}
          description={text.pictureAbout}
          type="url"
          value={url}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          {...fieldError(error, 'avatar_url')}
        />
        {rights.can('media:write') && (
          <>
            <input
              ref={input}
              type="file"
              accept={TYPES}
              hidden
              onChange={({ currentTarget: { files } }) => files?.[0] && upload.mutate(files[0])}
            />
            <Button
              size="xs"
              variant="default"
              disabled={upload.isPending}
              onClick={() => input.current?.click()}
            >
              {upload.isPending ? text.uploading(`${percent} %`) : text.upload}
            </Button>
          </>
        )}
        {url !== '' && (
          <Button size="xs" variant="subtle" onClick={() => onChange('')}>
            {text.removePicture}
          </Button>
        )}
        {upload.error !== null && (
          <p role="alert" className={styles.note}>
            {failure(upload.error)}
          </p>
        )}
      </div>
    </div>
  );
}
