import type { ReactNode } from 'react';
import { useItem } from '../../api/item.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { COST_OF_TOPIC } from '../../content/costs.ts';
import styles from './new.module.css';
import { startTexts } from './text.ts';

/** The price of a run, and the credits for it. `topics` is null for the unfinished articles. */
export function CostNote({ topics }: { readonly topics: number | null }): ReactNode {
  const { rights } = useSite();
  const text = useText(startTexts);
  const format = useFormat();
  const { data: usage } = useItem({
    key: ['usage'],
    load: (presswork, options) => presswork.usage.get(options),
    enabled: rights.can('meta:read'),
  });
  const most = (topics ?? 0) * COST_OF_TOPIC;
  const available =
    usage &&
    Math.max(0, Math.min(usage.credits.balance, usage.spend_cap?.remaining ?? Number.POSITIVE_INFINITY));
  return (
    <section className={styles.cost} aria-labelledby="cost">
      <h2 id="cost">{text.cost}</h2>
      <p aria-live="polite">
        {topics === null ? text.costUnfinished : text.costTopics(format.number(most), topics)}
      </p>
      <p className={styles.soft}>{text.stages}</p>
      <p>
        {/* The line is there before the balance is, so that the buttons below do not move away from a click. */}
        <strong>{usage ? text.balance(format.number(usage.credits.balance)) : '\u00a0'}</strong>
        {usage && usage.spend_cap !== null && (
          <>
            <br />
            {text.cap(format.number(usage.spend_cap.remaining), format.number(usage.spend_cap.limit))}
          </>
        )}
      </p>
      {available !== undefined && available < most && (
        <p className={styles.warning}>
          {available === 0 ? text.nothingLeft : text.tooLittle(format.number(available))}
        </p>
      )}
    </section>
  );
}
