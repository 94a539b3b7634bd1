import type { ReactNode } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import type { Backlink } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useList } from '../../api/list.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Choice } from '../../ui/choice.tsx';
import { Button } from '../../ui/controls.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Filters } from '../../ui/filters.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Sign } from '../../ui/sign.tsx';
import type { Tone } from '../../ui/sign.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { Import } from './import.tsx';
import { Layout } from './layout.tsx';
import { backlinkStatuses } from './search.ts';
import type { BacklinkFilters } from './search.ts';
import styles from './seo.module.css';
import { screenTexts } from './text.ts';

const route = getRouteApi('/$siteId/seo/backlinks');

/** The links from other sites that were imported. */
export function Screen(): ReactNode {
  const { rights } = useSite();
  const text = useText(screenTexts);
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const { domain, status } = filters;
  const list = useList<Backlink>({
    key: ['seo', 'backlinks', filters],
    load: (presswork, page, options) =>
      presswork.seo.listBacklinks({ domain, status: status && [status], ...page }, options),
  });
  const mayWrite = rights.can('articles:write');
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Layout>
      {mayWrite && <Import />}
      <BacklinkFilterFields
        filters={filters}
        onChange={(search) => void navigate({ search, replace: true })}
      />
      <DataTable
        label={text.backlinks}
        list={list}
        columns={useColumns()}
        idOf={({ id }) => id}
        nameOf={({ source_url: source }) => source}
        {...(mayWrite && { actions: (link: Backlink) => <Delete link={link} /> })}
        empty={
          <EmptyState title={isFiltered ? text.noMatch : text.noBacklinks}>
            {isFiltered ? text.noMatchAbout : text.noBacklinksAbout}
          </EmptyState>
        }
      />
    </Layout>
  );
}

interface BacklinkFilterFieldsProps {
  readonly filters: BacklinkFilters;
  readonly onChange: (filters: BacklinkFilters) => void;
}

function BacklinkFilterFields({ filters, onChange }: BacklinkFilterFieldsProps): ReactNode {
  const text = useText(screenTexts);
  const { domain, status } = filters;
  return (
    <Filters>
      <SearchField
        label={text.domain}
        value={domain ?? ''}
        onChange={(typed) => onChange({ ...(status && { status }), ...(typed !== '' && { domain: typed }) })}
      />
      <Choice
        label={text.status}
        any={text.all}
        options={backlinkStatuses.map((value) => ({ value, label: text.linkStatuses[value] }))}
        value={status}
        onChange={(value) => onChange({ ...(domain && { domain }), ...(value && { status: value }) })}
      />
    </Filters>
  );
}

const tones: Readonly<Record<string, Tone>> = { unknown: 'quiet', live: 'good', lost: 'bad' };

function useColumns(): readonly Column<Backlink>[] {
  const text = useText(screenTexts);
  const statuses: Readonly<Record<string, string>> = text.linkStatuses;
  return [
    {
      key: 'source',
      title: text.linkColumns.source,
      main: true,
      cell: ({ source_url: source, anchor, rel }) => (
        <div className={styles.link}>
          <a href={source} target="_blank" rel="noreferrer noopener">
            {source}
          </a>
          <span className={styles.soft} dir="auto">
            {[anchor, ...rel].filter(Boolean).join(' · ')}
          </span>
        </div>
      ),
    },
    {
      key: 'target',
      title: text.linkColumns.target,
      cell: ({ target_url: target }) => (
        <span className={styles.where}>
          <a href={target} target="_blank" rel="noreferrer noopener">
            {target}
          </a>
        </span>
      ),
    },
    {
      key: 'status',
      title: text.linkColumns.status,
      cell: ({ status }) => <Sign tone={tones[status] ?? 'quiet'}>{statuses[status] ?? status}</Sign>,
    },
    {
      key: 'seen',
      title: text.linkColumns.seen,
      cell: ({ last_seen_at: time }) => <RelativeTime time={time} />,
    },
  ];
}

function Delete({ link }: { readonly link: Backlink }): ReactNode {
  const text = useText(screenTexts);
  const remove = useChange({
    send: (presswork) => presswork.seo.deleteBacklink(link.id),
    touches: ['seo'],
    done: () => text.deleted,
  });
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={`${text.delete}: ${link.source_url}`}
      loading={remove.isPending}
      onClick={() => remove.mutate()}
    >
      {text.delete}
    </Button>
  );
}
