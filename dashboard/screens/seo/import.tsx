import { useRef } from 'react';
import type { ReactNode } from 'react';
import { useChange } from '../../api/change.ts';
import { fieldMessages } from '../../api/failure.ts';
import { isPressworkError } from '../../api/queries.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { ErrorNote } from '../../ui/notes.tsx';
import styles from './seo.module.css';
import { screenTexts } from './text.ts';

/** A file, with what tells it from another: it says nothing of itself where inputs are compared. */
interface Chosen {
  readonly file: File;
  readonly name: string;
  readonly size: number;
  readonly changed: number;
}

/** Imports the file of a tool, and says which of its lines are no links. */
export function Import(): ReactNode {
  const text = useText(screenTexts);
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const change = useChange({
    send: async (presswork, { file }: Chosen, { idempotencyKey }) =>
      presswork.seo.importBacklinks({ csv: await read(file) }, { idempotencyKey }),
    touches: ['seo'],
    errors: 'here',
    done: ({ added, updated, rejected_total: rejected }) =>
      text.imported(format.number(added), format.number(updated), format.number(rejected)),
  });
  const isTooLarge = isPressworkError(change.error) && change.error.status === 413;
  // There is no field to say it at.
  const said = isTooLarge ? text.tooLarge : fieldMessages(change.error)['csv'];
  const rejected = change.data?.rejected ?? [];
  return (
    <div className={styles.import}>
      <Button loading={change.isPending} onClick={() => input.current?.click()}>
        {text.import}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        hidden
        aria-hidden="true"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined)
            change.mutate({ file, name: file.name, size: file.size, changed: file.lastModified });
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      {change.error !== null &&
        (said === undefined ? <ErrorNote error={change.error} /> : <p role="alert">{said}</p>)}
      {rejected.length > 0 && (
        <div className={styles.rejected} role="status">
          <p className={styles.soft}>{text.rejectedLines}</p>
          <ul>
            {rejected.slice(0, 20).map(({ line, message }) => (
              <li key={line}>
                {text.line(format.number(line))}: {message}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** The text of a file; some tools write UTF-16, which begins with a mark. */
async function read(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}
