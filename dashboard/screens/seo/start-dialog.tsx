import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../api/change.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Radio, TextInput } from '../../ui/controls.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, fieldError, FormButtons } from '../../ui/form.tsx';
import { kinds } from './search.ts';
import styles from './seo.module.css';
import { startScan } from './start-scan.ts';
import type { ScanKind, StartInput } from './start-scan.ts';
import { screenTexts } from './text.ts';

/** Chooses the targets, with their price. */
export function StartDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  const navigate = useNavigate();
  const [kind, setKind] = useState<ScanKind>('on-page');
  const [pages, setPages] = useState('200');
  const start = useChange({
    send: (presswork, input: StartInput, { idempotencyKey }) =>
      startScan(presswork, input, { idempotencyKey }),
    touches: ['seo', 'usage'],
    errors: 'here',
    done: () => text.started,
    onDone: () => {
      onClose();
      void navigate({ to: '/$siteId/seo/scans', params: { siteId } });
    },
  });
  const submit = (): void =>
    start.mutate({ kind, ...(kind === 'site-crawl' && { max_pages: Number(pages) }) });
  return (
    <Dialog opened title={text.start} onClose={onClose}>
      <Form
        onSubmit={submit}
        error={start.error}
        actions={
          <FormButtons isPending={start.isPending} onCancel={onClose}>
            {text.startNow}
          </FormButtons>
        }
      >
        <p className={styles.soft}>{text.startAbout}</p>
        <Radio.Group label={text.kind} value={kind} onChange={(value) => setKind(value)}>
          <div className={styles.kinds}>
            {kinds.map((each) => (
              <Radio key={each} value={each} label={text.kinds[each]} description={text.costs[each]} />
            ))}
          </div>
        </Radio.Group>
        {kind === 'site-crawl' && (
          <TextInput
            label={text.maxPages}
            description={text.maxPagesAbout}
            inputMode="numeric"
            value={pages}
            onChange={({ currentTarget }) => setPages(currentTarget.value)}
            {...fieldError(start.error, 'max_pages')}
          />
        )}
      </Form>
    </Dialog>
  );
}
