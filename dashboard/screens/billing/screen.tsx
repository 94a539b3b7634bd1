import type { ReactNode } from 'react';
import { useItem } from '../../api/item.ts';
import { useText } from '../../text/texts.ts';
import { EmptyState, ErrorNote, Loading } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { AutoTopUpForm } from './auto-top-up.tsx';
import { Credits } from './credits.tsx';
import { Invoices } from './invoices.tsx';
import { Plan } from './plan.tsx';
import { Storage } from './storage.tsx';
import styles from './billing.module.css';
import { screenTexts } from './text.ts';

/** The plan and the payments of the organisation. */
export function Screen(): ReactNode {
  const text = useText(screenTexts);
  const { data, error, refetch } = useItem({
    key: ['billing'],
    load: (presswork, options) => presswork.billing.get(options),
  });
  return (
    <Page title={text.title} about={text.about}>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data?.provider === null && <EmptyState title={text.unavailable}>{text.unavailableAbout}</EmptyState>}
      {data !== undefined && data.provider !== null && (
        <>
          <div className={styles.cards}>
            <Plan billing={data} />
            <Credits billing={data} />
            <Storage overage={data.overage} />
          </div>
          <AutoTopUpForm saved={data.auto_top_up} />
          <Invoices />
        </>
      )}
    </Page>
  );
}
