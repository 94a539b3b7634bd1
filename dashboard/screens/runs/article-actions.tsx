import { useState } from 'react';
import type { ReactNode } from 'react';
import { useChange } from '../../api/change.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import type { Around } from './reject.tsx';
import { stepTexts } from './step-text.ts';
import { runTexts } from './text.ts';

const alone: Around = (act) => act();

const Reject = onDemand(async () => (await import('./reject.tsx')).Reject);

const requeueable = new Set<string | null>(['failed', 'rejected', 'skipped', 'needs_improvement']);

export interface ActionProps {
  readonly articleId: string;
  readonly status: string | null;
  readonly title: string;
  readonly around?: Around;
}

/** Lets the next run go on with an article. */
export function Requeue({ articleId, status, title, around = alone }: ActionProps): ReactNode {
  const { rights } = useSite();
  const text = useText(runTexts);
  const requeue = useChange({
    send: (presswork) => around(() => presswork.pipeline.requeueArticle(articleId)),
    touches: ['runs', 'articles'],
    done: () => text.requeued,
  });
  if (!rights.can('pipeline:run') || !requeueable.has(status)) return null;
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={text.requeueOf(title)}
      loading={requeue.isPending}
      onClick={() => requeue.mutate()}
    >
      {text.requeue}
    </Button>
  );
}

/** The statuses that are not the pipeline's, and the one that a rejection leads to. */
const unrejectable = new Set<string | null>(['draft', 'scheduled', 'published', 'rejected', null]);

/** Asks for a reason first. */
export function RejectButton({ articleId, status, title, around = alone }: ActionProps): ReactNode {
  const { rights } = useSite();
  const text = useText(stepTexts);
  const [asking, setAsking] = useState(false);
  if (!rights.can('pipeline:run') || unrejectable.has(status)) return null;
  return (
    <>
      <Button size="xs" variant="default" aria-label={text.rejectOf(title)} onClick={() => setAsking(true)}>
        {text.reject}
      </Button>
      {asking && (
        <Reject articleId={articleId} title={title} around={around} onClose={() => setAsking(false)} />
      )}
    </>
  );
}
