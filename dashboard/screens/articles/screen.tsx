import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useList } from '../../api/list.ts';
import { OriginSign } from '../../content/origin.tsx';
import { useTerm } from '../../content/terms.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { ButtonLink } from '../../ui/links.ts';
import { EmptyState } from '../../ui/notes.tsx';
import { NoMatch } from '../../ui/no-match.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../content/status-badge.tsx';
import { RelativeTime, SiteTime } from '../../ui/times.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { Row } from './row.ts';
import { RowActions } from './row-actions.tsx';
import { SavedViews } from './saved-views.tsx';
import type { Filters } from './search.ts';
import styles from './screen.module.css';
import { screenTexts } from './text.ts';

const BulkActions = onDemand(async () => (await import('./bulk-actions.tsx')).BulkActions);

const route = getRouteApi('/$siteId/articles');

/** Every article of the Site, found by what it is, what it says, or where it belongs. */
export function Screen(): ReactNode {
  const { id: siteId, rights } = useSite();
  const text = useText(screenTexts);
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const list = useArticles(filters);
  const mayWrite = rights.can('articles:write');
  const setFilters = (search: Filters): void => {
    setSelected(new Set());
    void navigate({ search, replace: true });
  };
  const isFiltered = Object.keys(filters).some((name) => name !== 'order');
  const create = mayWrite && (
    <ButtonLink to="/$siteId/articles/$articleId" params={{ siteId, articleId: 'new' }}>
      {text.create}
    </ButtonLink>
  );
  const empty = isFiltered ? (
    <NoMatch text={text} onClear={() => setFilters({})} />
  ) : (
    <EmptyState title={text.none} action={create}>
      {text.noneAbout}
    </EmptyState>
  );
  return (
    <Page
      title={text.title}
      actions={
        <>
          <SavedViews filters={filters} onOpen={setFilters} />
          {create}
        </>
      }
    >
      <FilterBar filters={filters} onChange={setFilters} />
      <DataTable
        label={text.title}
        list={list}
        columns={useColumns()}
        idOf={({ id }) => id}
        nameOf={({ title }) => title ?? text.untitled}
        onOpen={({ id }) =>
          void navigate({ to: '/$siteId/articles/$articleId', params: { siteId, articleId: id } })
        }
        {...(mayWrite && {
          selection: { ids: selected, onChange: setSelected },
          actions: (row: Row) => <RowActions article={row} />,
        })}
        empty={empty}
      />
      {mayWrite && (
        <BulkActions
          articles={list.rows.filter(({ id }) => selected.has(id))}
          onDone={() => setSelected(new Set())}
        />
      )}
    </Page>
  );
}

const useArticles = ({ q, status, origin, category, tag, author, order }: Filters) =>
  useList<Row>({
    key: ['articles', { q, status, origin, category, tag, author, order }],
    load: (presswork, page, options) =>
      presswork.articles.list(
        { q, status, origin, category_id: category, tag_id: tag, author_id: author, order, ...page },
        options,
      ),
  });

function useColumns(): readonly Column<Row>[] {
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  return [
    {
      key: 'title',
      title: text.columns.title,
      main: true,
      cell: ({ id, title, excerpt }) => (
        <div className={styles.article}>
          <Link to="/$siteId/articles/$articleId" params={{ siteId, articleId: id }} dir="auto">
            {title ?? text.untitled}
          </Link>
          {excerpt !== null && <p dir="auto">{excerpt}</p>}
        </div>
      ),
    },
    {
      key: 'status',
      title: text.columns.status,
      cell: ({ status, origin }) => (
        <div className={styles.signs}>
          <StatusBadge status={status} />
          <OriginSign origin={origin} />
        </div>
      ),
    },
    {
      key: 'category',
      title: text.columns.category,
      cell: ({ category_id: id }) =>
        id !== null && (
          <span className={styles.category}>
            <CategoryName id={id} />
          </span>
        ),
    },
    { key: 'time', title: text.columns.time, cell: (article) => <Time article={article} /> },
    {
      key: 'changed',
      title: text.columns.changed,
      cell: ({ updated_at: time }) => <RelativeTime time={time} />,
    },
  ];
}

const CategoryName = ({ id }: { readonly id: string }): ReactNode => (
  <span dir="auto">{useTerm('categories', id)?.name}</span>
);

/** When it was published, or will be. */
function Time({ article }: { readonly article: Row }): ReactNode {
  const { status, scheduled_publish_at: due, published_at: published } = article;
  const time = status === 'scheduled' ? due : status === 'published' ? published : null;
  return time !== null && <SiteTime time={time} />;
}
