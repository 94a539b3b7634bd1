import type { ReactNode } from 'react';
import { useFormat } from '../../../text/format.ts';
import { useText } from '../../../text/texts.ts';
import { Button, Progress, VisuallyHidden } from '../../../ui/controls.ts';
import { screenTexts } from '../text.ts';
import { Notice } from './notice.tsx';
import type { Upload } from './queue.ts';
import { UploadRow } from './row.tsx';
import { useUploads } from './use-uploads.ts';
import styles from './panel.module.css';

/** The uploads, and their failures. Nothing if there are no uploads. */
export function UploadPanel(): ReactNode {
  const { all, pausedUntil, queue } = useUploads();
  const text = useText(screenTexts).upload;
  const format = useFormat();
  if (all.length === 0) return <p role="status" className={styles.quiet} />;
  const count = (...states: readonly Upload['state'][]): number =>
    all.filter(({ state }) => states.includes(state)).length;
  const sent = all.filter(({ state }) => state !== 'refused');
  const [failed, refused, waiting] = [count('failed'), count('refused'), count('waiting')];
  const isActive = waiting + count('sending') > 0;
  const shown = all.filter(({ state }) => state === 'sending' || state === 'failed' || state === 'refused');
  return (
    <section className={styles.panel} aria-labelledby="uploads">
      <header className={styles.head}>
        <h2 id="uploads">{text.title}</h2>
        <p>
          {[
            sent.length > 0 && text.progress(format.number(count('done')), format.number(sent.length)),
            failed > 0 && text.failed(format.number(failed)),
            refused > 0 && text.refused(format.number(refused)),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <div className={styles.actions}>
          {failed > 1 && (
            <Button size="xs" variant="default" onClick={() => queue.retryFailed()}>
              {text.retryAll}
            </Button>
          )}
          {!isActive && (
            <Button size="xs" variant="default" onClick={() => queue.clear()}>
              {text.clear}
            </Button>
          )}
        </div>
      </header>
      {sent.length > 0 && <Progress value={shareOf(sent)} size="md" aria-label={text.title} />}
      <Notice pausedUntil={pausedUntil} isActive={isActive} />
      {shown.length > 0 && (
        <ul className={styles.rows}>
          {shown.map((upload) => (
            <UploadRow key={upload.id} upload={upload} queue={queue} />
          ))}
        </ul>
      )}
      {waiting > 0 && <p className={styles.waiting}>{text.waiting(format.number(waiting))}</p>}
      {/* Said at the beginning and at the end, and not at each step between. */}
      <VisuallyHidden role="status">
        {isActive
          ? text.started(format.number(sent.length))
          : text.ended(format.number(count('done')), format.number(failed + refused))}
      </VisuallyHidden>
    </section>
  );
}

/** In per cent of all bytes. */
function shareOf(uploads: readonly Upload[]): number {
  const sum = (of: (upload: Upload) => number): number =>
    uploads.reduce((total, upload) => total + of(upload), 0);
  return (100 * sum(({ sentBytes }) => sentBytes)) / sum(({ file }) => file.size);
}
