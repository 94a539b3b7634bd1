import type { ReactNode } from 'react';
import type { SeoScan } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { kinds } from './search.ts';
import { startScan } from './start-scan.ts';
import type { StartInput } from './start-scan.ts';
import { screenTexts } from './text.ts';

/** Whether a scan goes on without anybody's doing. */
export const isLive = ({ status }: SeoScan): boolean => status === 'queued' || status === 'running';

/** Ends a scan, or goes on with what one has left. */
export function ScanActions({ scan }: { readonly scan: SeoScan }): ReactNode {
  const text = useText(screenTexts);
  const cancel = useChange({
    send: (presswork) => presswork.seo.cancelScan(scan.id),
    touches: ['seo'],
    done: () => text.cancelled,
  });
  const resume = useChange({
    send: (presswork, input: StartInput, { idempotencyKey }) =>
      startScan(presswork, input, { idempotencyKey }),
    touches: ['seo', 'usage'],
    done: () => text.started,
  });
  const kind = kinds.find((each) => each === scan.kind);
  if (isLive(scan))
    return (
      <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        {text.cancel}
      </Button>
    );
  const hasMore = scan.status === 'partial' || scan.status === 'cancelled' || scan.status === 'failed';
  return (
    hasMore &&
    kind !== undefined && (
      <Button
        size="xs"
        variant="default"
        loading={resume.isPending}
        onClick={() => resume.mutate({ kind, resume_scan_id: scan.id })}
      >
        {text.resume}
      </Button>
    )
  );
}
