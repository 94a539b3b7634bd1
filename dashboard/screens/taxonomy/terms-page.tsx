import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useList } from '../../api/list.ts';
import type { TermKind } from '../../content/terms.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Badge, Button, Menu } from '../../ui/controls.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { NoMatch } from '../../ui/no-match.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { DeleteTerm } from './delete-term.tsx';
import { Picture } from './picture.tsx';
import { scopeOf, termsOf } from './terms.ts';
import type { Term } from './terms.ts';
import { screenTexts } from './text.ts';
import styles from './terms-page.module.css';

const TermDrawer = onDemand(async () => (await import('./term-drawer.tsx')).TermDrawer);

const routes = {
  categories: getRouteApi('/$siteId/categories'),
  tags: getRouteApi('/$siteId/tags'),
  authors: getRouteApi('/$siteId/authors'),
} as const;

/** The categories, tags or authors of the Site, by name. */
export function TermsPage({ kind }: { readonly kind: TermKind }): ReactNode {
  const { rights } = useSite();
  const text = useText(screenTexts);
  const { title, create, search: label } = text[kind];
  const { q = '', edit } = routes[kind].useSearch();
  const navigate = routes[kind].useNavigate();
  const list = useList<Term>({
    key: [kind, { q }],
    load: (presswork, page, options) =>
      termsOf(presswork, kind).list({ ...page, ...(q !== '' && { q }) }, options),
  });
  const mayWrite = rights.can(scopeOf(kind));
  const [deleting, setDeleting] = useState<Term | null>(null);
  const open = (id: string | undefined): void =>
    void navigate({ search: { ...(q !== '' && { q }), ...(id !== undefined && { edit: id }) } });
  const createButton = mayWrite && <Button onClick={() => open('new')}>{create}</Button>;
  return (
    <Page title={title} actions={createButton}>
      <SearchField
        className={styles.search}
        label={label}
        placeholder={text.startsWith}
        value={q}
        onChange={(typed) => void navigate({ search: typed === '' ? {} : { q: typed }, replace: true })}
      />
      <DataTable
        label={title}
        list={list}
        columns={useColumns(kind, mayWrite)}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        {...(mayWrite && {
          onOpen: ({ id }: Term) => open(id),
          actions: (term: Term) => (
            <Actions term={term} onEdit={() => open(term.id)} onDelete={() => setDeleting(term)} />
          ),
        })}
        empty={
          <Nothing
            kind={kind}
            isFiltered={q !== ''}
            create={createButton}
            onClear={() => void navigate({ search: {} })}
          />
        }
      />
      {mayWrite && edit !== undefined && (
        <TermDrawer key={edit} kind={kind} id={edit} onClose={() => open(undefined)} />
      )}
      <DeleteTerm kind={kind} term={deleting} onClose={() => setDeleting(null)} />
    </Page>
  );
}

function useColumns(kind: TermKind, mayWrite: boolean): readonly Column<Term>[] {
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  const format = useFormat();
  return [
    {
      key: 'name',
      title: text.columns.name,
      main: true,
      cell: (term) => (
        <span className={styles.name}>
          {kind === 'authors' && <Picture name={term.name} url={term.avatar_url ?? null} />}
          {mayWrite ? (
            <Link to="." search={(search) => ({ ...search, edit: term.id })} dir="auto">
              {term.name}
            </Link>
          ) : (
            <span dir="auto">{term.name}</span>
          )}
          {term.is_ai_generated === true && <Badge variant="default">{text.ai}</Badge>}
        </span>
      ),
    },
    {
      key: 'slug',
      title: text.columns.slug,
      cell: ({ slug }) => <span className={styles.slug}>{slug}</span>,
    },
    {
      key: 'articles',
      title: text.columns.articles,
      cell: ({ id, name, article_count: count }) => (
        <Link
          to="/$siteId/articles"
          params={{ siteId }}
          search={{ [filters[kind]]: id }}
          aria-label={text.articlesOf(count, format.number(count), name)}
          className={styles.count}
        >
          {text.articles(count, format.number(count))}
        </Link>
      ),
    },
    {
      key: 'changed',
      title: text.columns.changed,
      cell: ({ updated_at: time }) => <RelativeTime time={time} />,
    },
  ];
}

/** Their names in the list of articles. */
const filters = { categories: 'category', tags: 'tag', authors: 'author' } as const;

interface ActionsProps {
  readonly term: Term;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

function Actions({ term, onEdit, onDelete }: ActionsProps): ReactNode {
  const text = useText(screenTexts);
  return (
    <RowMenu label={text.actions(term.name)}>
      <Menu.Item onClick={onEdit}>{text.edit}</Menu.Item>
      <Menu.Item color="red" onClick={onDelete}>
        {text.delete}
      </Menu.Item>
    </RowMenu>
  );
}

interface NothingProps {
  readonly kind: TermKind;
  readonly isFiltered: boolean;
  readonly create: ReactNode;
  readonly onClear: () => void;
}

function Nothing({ kind, isFiltered, create, onClear }: NothingProps): ReactNode {
  const text = useText(screenTexts);
  if (!isFiltered)
    return (
      <EmptyState title={text[kind].empty} action={create}>
        {text[kind].emptyAbout}
      </EmptyState>
    );
  return <NoMatch text={text} onClear={onClear} />;
}
