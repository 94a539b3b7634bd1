import type { ReactNode } from 'react';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { Usage } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { siteQuery, useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { lasting, readSpending } from './forecast.ts';
import { Ledger } from './ledger.tsx';
import { Meter } from './meter.tsx';
import styles from './screen.module.css';
import { screenTexts } from './text.ts';

/** The usage of the Site, and its price. */
export function Screen(): ReactNode {
  const text = useText(screenTexts);
  const { data, error, refetch } = useItem({
    key: ['usage'],
    load: (presswork, options) => presswork.usage.get(options),
  });
  return (
    <Page title={text.title}>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && (
        <div className={styles.cards}>
          <Plan usage={data} />
          <Credits usage={data} />
        </div>
      )}
      <Ledger />
    </Page>
  );
}

function Plan({ usage: { plan, period, usage, limits } }: { readonly usage: Usage }): ReactNode {
  const text = useText(screenTexts);
  const format = useFormat();
  const lastDay = new Date(Date.parse(period.end) - 1);
  return (
    <section className={styles.card}>
      <h2>
        {text.plan}: <span dir="auto">{plan.name}</span>
      </h2>
      <p className={styles.soft}>
        {text.period(format.date(period.start, 'UTC'), format.date(lastDay, 'UTC'))}
      </p>
      <Meter
        label={text.documents}
        used={usage.documents}
        limit={limits.documents}
        words={text.of(format.number(usage.documents), format.number(limits.documents))}
        over={text.over}
      />
      <Meter
        label={text.media}
        used={usage.media_bytes}
        limit={limits.media_bytes}
        words={text.of(format.bytes(usage.media_bytes), format.bytes(limits.media_bytes))}
        over={text.over}
      />
      <dl className={styles.figures}>
        <div>
          <dt>{text.runs}</dt>
          <dd>{format.number(usage.pipeline_runs)}</dd>
        </div>
        <div>
          <dt>{text.endpoints}</dt>
          <dd>{text.atMost(format.number(limits.webhook_endpoints))}</dd>
        </div>
      </dl>
    </section>
  );
}

function Credits({ usage: { credits, spend_cap: cap, usage } }: { readonly usage: Usage }): ReactNode {
  const text = useText(screenTexts);
  const format = useFormat();
  return (
    <section className={styles.card}>
      <h2>{text.credits}</h2>
      <dl className={styles.figures}>
        <div>
          <dt>{text.balance}</dt>
          <dd className={styles.big}>{format.number(credits.balance)}</dd>
        </div>
        <div>
          <dt>{text.spent}</dt>
          <dd>{format.number(usage.credits_spent)}</dd>
        </div>
      </dl>
      <p className={styles.soft}>{text.balanceAbout}</p>
      {cap === null ? (
        <p className={styles.soft}>{text.noCap}</p>
      ) : (
        <>
          <Meter
            label={text.cap}
            used={cap.spent}
            limit={cap.limit}
            words={text.of(format.number(cap.spent), format.number(cap.limit))}
          />
          <p className={styles.soft}>{text.left(format.number(cap.remaining))}</p>
        </>
      )}
      <Forecast balance={credits.balance} />
    </section>
  );
}

function Forecast({ balance }: { readonly balance: number }): ReactNode {
  const { id } = useSite();
  const { site } = useSuspenseQuery(siteQuery(id)).data;
  const text = useText(screenTexts);
  const format = useFormat();
  const { data, error, refetch } = useItem({
    key: ['ledger', 'spending'],
    load: (presswork, options) => readSpending(presswork, site.created_at, options),
  });
  const days = data === undefined ? null : lasting(balance, data);
  return (
    <>
      <h3>{text.forecast}</h3>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data !== undefined && days === null && <p className={styles.soft}>{text.unused}</p>}
      {data !== undefined && days !== null && (
        <>
          <p>{text.lasts(days)}</p>
          <p className={styles.soft}>
            {text.computed(
              format.number(data.credits),
              data.days,
              format.number(Math.round((10 * data.credits) / data.days) / 10),
            )}
          </p>
        </>
      )}
    </>
  );
}
