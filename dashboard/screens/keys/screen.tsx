import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import type { ApiKey } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import type { LoadedList } from '../../api/list.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Button, Menu, Switch } from '../../ui/controls.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { useColumns } from './columns.tsx';
import { DeviceSignIn } from './device-sign-in.tsx';
import { useKeyEvents } from './events.ts';
import { hasEnded, isOfDashboard } from './state.ts';
import { screenTexts } from './text.ts';
import styles from './screen.module.css';

const route = getRouteApi('/$siteId/keys');
const CreateKey = onDemand(async () => (await import('./create-key.tsx')).CreateKey);
const RevokeKey = onDemand(async () => (await import('./revoke-key.tsx')).RevokeKey);
const RotateKey = onDemand(async () => (await import('./rotate-key.tsx')).RotateKey);

export function Screen(): ReactNode {
  const text = useText(screenTexts);
  const { rights } = useSite();
  const { all = false } = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, setCreating] = useState(false);
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const list = useKeys(all);
  const columns = useColumns(useKeyEvents());
  const mayChange = rights.can('keys:write');
  const actions = (key: ApiKey): ReactNode =>
    mayChange &&
    !hasEnded(key, Date.now()) && (
      <RowMenu label={text.actions(key.name)}>
        {!isOfDashboard(key) && <Menu.Item onClick={() => setRotating(key)}>{text.rotate}</Menu.Item>}
        <Menu.Item color="red" onClick={() => setRevoking(key)}>
          {text.revoke}
        </Menu.Item>
      </RowMenu>
    );
  return (
    <Page
      title={text.title}
      about={text.about}
      actions={mayChange && <Button onClick={() => setCreating(true)}>{text.create}</Button>}
    >
      <Switch
        className={styles.all}
        label={text.showAll}
        checked={all}
        onChange={({ currentTarget: { checked } }) =>
          void navigate({ search: checked ? { all: true } : {}, replace: true })
        }
      />
      <DataTable
        label={text.keys}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        columns={columns}
        actions={actions}
        empty={<NoKeys list={list} />}
      />
      {mayChange && <DeviceSignIn />}
      {isCreating && <CreateKey opened onClose={() => setCreating(false)} />}
      <RotateKey subject={rotating} onClose={() => setRotating(null)} />
      {revoking !== null && <RevokeKey subject={revoking} onClose={() => setRevoking(null)} />}
    </Page>
  );
}

/** So many rows fill a screen; */
const ENOUGH = 20;
/** and so many are looked through for them without being asked. */
const MOST = 250;

/** The keys that are in use, which the API lists among those of all the dashboards there ever were. */
function useKeys(all: boolean): LoadedList<ApiKey> {
  const list = useList({
    key: ['keys'],
    load: (presswork, page, options) => presswork.keys.list(page, options),
  });
  const now = Date.now();
  const rows = all ? list.rows : list.rows.filter((key) => !hasEnded(key, now) && !isOfDashboard(key));
  const { hasMore, isLoadingMore, error, loadMore } = list;
  const wantsMore =
    hasMore && !isLoadingMore && error === null && rows.length < ENOUGH && list.rows.length < MOST;
  useEffect(() => {
    if (wantsMore) loadMore();
  });
  return { ...list, rows };
}

function NoKeys({ list }: { readonly list: LoadedList<ApiKey> }): ReactNode {
  const text = useText(screenTexts);
  if (!list.hasMore) return <EmptyState title={text.none}>{text.noneAbout}</EmptyState>;
  return (
    <EmptyState
      title={text.noneHere}
      action={
        <Button variant="default" loading={list.isLoadingMore} onClick={list.loadMore}>
          {text.further}
        </Button>
      }
    >
      {text.noneHereAbout}
    </EmptyState>
  );
}
