import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from '@tanstack/react-router';
import type { PlanItem } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { COST_OF_TOPIC } from '../../content/costs.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { Button } from '../../ui/controls.ts';
import styles from './content-plan.module.css';
import { screenTexts } from './text.ts';

const MOST = 50;

export interface SelectionProps {
  readonly items: readonly PlanItem[];
  readonly onClear: () => void;
}

/** Has drafts written of the selected items: the one thing here that costs credits. */
export function Selection({ items, onClear }: SelectionProps): ReactNode {
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  const format = useFormat();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const start = useChange({
    send: (presswork, plan_item_ids: readonly string[], { idempotencyKey }) =>
      presswork.pipeline.startRun({ plan_item_ids }, { idempotencyKey }),
    touches: ['plan', 'runs', 'usage', 'articles'],
    errors: 'here',
    onDone: ({ id: runId }) => void navigate({ to: '/$siteId/runs/$runId', params: { siteId, runId } }),
  });
  const count = items.length;
  const areFit = items.every(({ status }) => status === 'idea' || status === 'approved');
  const said = count > MOST ? text.tooMany : areFit ? text.selected(count) : text.wrongStatus;
  return (
    <section className={styles.bar} aria-label={text.selection}>
      <p role="status">{said}</p>
      <Button size="xs" disabled={count > MOST || !areFit} onClick={() => setAsking(true)}>
        {text.write}
      </Button>
      <Button size="xs" variant="subtle" onClick={onClear}>
        {text.unselect}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={text.writeTitle(count)}
        action={text.writeNow}
        onConfirm={() => start.mutateAsync(items.map(({ id }) => id))}
      >
        {text.writeAbout(format.number(count * COST_OF_TOPIC))}
      </ConfirmDialog>
    </section>
  );
}
