import { useState } from 'react';
import type { ReactNode } from 'react';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { Connections, useConnections } from './connections.tsx';
import styles from './delivery.module.css';
import { Pushes } from './pushes.tsx';
import { screenTexts } from './text.ts';

const CreateDialog = onDemand(async () => (await import('./connection-dialog.tsx')).CreateDialog);

/** As many as a Site may have. */
const MOST = 10;

/** The systems that articles are pushed to, and the pushes. */
export function Screen(): ReactNode {
  const { rights } = useSite();
  const text = useText(screenTexts);
  const [adding, setAdding] = useState(false);
  const connections = useConnections();
  const mayManage = rights.can('keys:write') && rights.administers;
  const add = mayManage && connections.rows.length < MOST && (
    <Button onClick={() => setAdding(true)}>{text.add}</Button>
  );
  return (
    <Page title={text.title} about={text.about} actions={add}>
      <h2 className={styles.head}>{text.connections}</h2>
      <Connections list={connections} mayManage={mayManage} add={add} />
      {rights.can('pipeline:read') && (
        <>
          <h2 className={styles.head}>{text.pushes}</h2>
          <Pushes connections={connections.rows} />
        </>
      )}
      {adding && <CreateDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}
