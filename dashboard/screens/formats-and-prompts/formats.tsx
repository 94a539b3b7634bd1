import type { ReactNode } from 'react';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { ContentType } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import { useText } from '../../text/texts.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Sign } from '../../ui/sign.tsx';
import { screenTexts } from './text.ts';
import styles from './formats.module.css';

const FormatDrawer = onDemand(async () => (await import('./format-drawer.tsx')).FormatDrawer);

const route = getRouteApi('/$siteId/formats-and-prompts');

/** The formats of the platform and of the Site, at most a few hundred. */
export function Formats(): ReactNode {
  const { formats: text } = useText(screenTexts);
  const { format } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useList<ContentType>({
    key: ['formats'],
    load: async (presswork, _page, options) => {
      const { items } = await presswork.contentTypes.list(options);
      return { items, next_cursor: null };
    },
  });
  const open = (id: string | undefined): void =>
    void navigate({ search: id === undefined ? {} : { format: id } });
  return (
    <>
      <DataTable
        label={text.list}
        list={list}
        columns={useColumns()}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        onOpen={({ id }) => open(id)}
        empty={<EmptyState title={text.missing} />}
      />
      {format !== undefined && <FormatDrawer key={format} id={format} onClose={() => open(undefined)} />}
    </>
  );
}

function useColumns(): readonly Column<ContentType>[] {
  const { formats: text } = useText(screenTexts);
  return [
    {
      key: 'name',
      title: text.columns.name,
      main: true,
      cell: ({ id, name }) => (
        <Link to="." search={{ format: id }} dir="auto" className={styles.name}>
          {name}
        </Link>
      ),
    },
    {
      key: 'key',
      title: text.columns.key,
      cell: ({ key }) => <span className={styles.key}>{key}</span>,
    },
    {
      key: 'source',
      title: text.columns.source,
      cell: ({ source }) => (source === 'site' ? text.source.site : text.source.platform),
    },
    {
      key: 'status',
      title: text.columns.status,
      cell: ({ is_active: active }) => (
        <Sign tone={active ? 'good' : 'quiet'}>{active ? text.active : text.inactive}</Sign>
      ),
    },
  ];
}
