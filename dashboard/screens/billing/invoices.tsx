import type { ReactNode } from 'react';
import type { Invoice } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { Sign } from '../../ui/sign.tsx';
import type { Tone } from '../../ui/sign.tsx';
import styles from './billing.module.css';
import { screenTexts } from './text.ts';
import { useMoney } from './use-money.ts';

export function Invoices(): ReactNode {
  const text = useText(screenTexts);
  const list = useList<Invoice>({
    key: ['billing', 'invoices'],
    load: (presswork, page, options) => presswork.billing.listInvoices(page, options),
  });
  return (
    <section className={styles.section} aria-labelledby="invoices">
      <h2 id="invoices">{text.invoices}</h2>
      <DataTable
        label={text.invoices}
        list={list}
        columns={useColumns()}
        idOf={({ id }) => id}
        nameOf={({ number }) => number ?? text.draftNumber}
        empty={<EmptyState title={text.noInvoices}>{text.noInvoicesAbout}</EmptyState>}
      />
    </section>
  );
}

const tones: Readonly<Record<string, Tone>> = {
  draft: 'quiet',
  open: 'warn',
  paid: 'good',
  uncollectible: 'bad',
  void: 'quiet',
};

function useColumns(): readonly Column<Invoice>[] {
  const text = useText(screenTexts);
  const format = useFormat();
  const money = useMoney();
  const statuses: Readonly<Record<string, string>> = text.statuses;
  return [
    {
      key: 'number',
      title: text.columns.number,
      main: true,
      cell: ({ number, url, pdf_url: pdf }) => (
        <span className={styles.invoice}>
          {url === null ? (
            (number ?? text.draftNumber)
          ) : (
            <a href={url} target="_blank" rel="noreferrer noopener">
              {number ?? text.draftNumber}
            </a>
          )}
          {pdf !== null && (
            <a href={pdf} target="_blank" rel="noreferrer noopener">
              {text.pdf}
            </a>
          )}
        </span>
      ),
    },
    {
      key: 'status',
      title: text.columns.status,
      cell: ({ status }) => <Sign tone={tones[status] ?? 'quiet'}>{statuses[status] ?? status}</Sign>,
    },
    {
      key: 'amount',
      title: text.columns.amount,
      align: 'end',
      cell: ({ amount, currency }) => money(amount, currency),
    },
    {
      key: 'time',
      title: text.columns.time,
      cell: ({ created_at: time }) => format.date(time),
    },
  ];
}
