import type { ReactNode } from 'react';
import { fieldMessages, useFailure } from '../../../api/failure.ts';
import { isPressworkError } from '../../../api/queries.ts';
import { useFormat } from '../../../text/format.ts';
import { useText } from '../../../text/texts.ts';
import { Button, Progress } from '../../../ui/controls.ts';
import { screenTexts } from '../text.ts';
import type { Upload, UploadQueue } from './queue.ts';
import styles from './panel.module.css';

export interface UploadRowProps {
  readonly upload: Upload;
  readonly queue: UploadQueue;
}

/** One upload: its progress, or its failure and the way out. */
export function UploadRow({ upload, queue }: UploadRowProps): ReactNode {
  const text = useText(screenTexts).upload;
  const format = useFormat();
  const { id, file, state } = upload;
  return (
    <li className={styles.row}>
      <span className={styles.name} dir="auto">
        {file.name}
      </span>
      <span className={styles.size}>{format.bytes(file.size)}</span>
      <span className={styles.buttons}>
        {state === 'failed' && (
          <Button
            size="xs"
            variant="default"
            aria-label={text.retryOf(file.name)}
            onClick={() => queue.retry(id)}
          >
            {text.retry}
          </Button>
        )}
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          aria-label={text.removeOf(file.name)}
          onClick={() => queue.remove(id)}
        >
          {text.remove}
        </Button>
      </span>
      {state === 'sending' ? <Sending upload={upload} /> : <Problem upload={upload} />}
    </li>
  );
}

function Sending({ upload: { file, sentBytes } }: Pick<UploadRowProps, 'upload'>): ReactNode {
  const text = useText(screenTexts).upload;
  const isSent = sentBytes === file.size;
  return (
    <span className={styles.state}>
      <Progress value={(100 * sentBytes) / file.size} size="sm" aria-label={file.name} animated={isSent} />
      {isSent && <span>{text.registering}</span>}
    </span>
  );
}

function Problem({ upload: { refusal, error } }: Pick<UploadRowProps, 'upload'>): ReactNode {
  const text = useText(screenTexts).upload;
  const failure = useFailure();
  const said = (): string => {
    if (refusal !== null) return text[refusal];
    if (isPressworkError(error) && error.code === 'UPLOAD_FAILED') return text.storage;
    return [failure(error), ...Object.values(fieldMessages(error))].join(' ');
  };
  return <span className={styles.problem}>{said()}</span>;
}
