import { useState } from 'react';
import type { ReactNode } from 'react';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Button, CloseButton } from '../../ui/controls.ts';
import { newKey } from './article/new-key.ts';
import { useMayWrite, useSaving, useSession } from './article/use-article.ts';
import { fieldTexts } from './field-text.ts';
import { FIELDS } from './saving/fields.ts';
import { screenTexts } from './text.ts';
import styles from './editor.module.css';

/** What a person should know about the article that is open. */
export function Notices(): ReactNode {
  const text = useText(screenTexts);
  const fields = useText(fieldTexts);
  const format = useFormat();
  const session = useSession();
  const mayWrite = useMayWrite();
  const { publishes } = useSite().rights;
  const isPublished = useSaving(({ base }) => base.lifecycle.status === 'published');
  const isGone = useSaving(({ phase }) => phase === 'gone');
  const conflict = useSaving(({ base }) => base.lifecycle.edit_conflict);
  const isEditLost = useSaving((state) => state.isEditLost);
  const names = conflict.map((name) => {
    const known = FIELDS.find((field) => field === name);
    return known === undefined ? name : fields[known];
  });
  return (
    <div aria-live="polite">
      {!mayWrite && <p className={styles.notice}>{session.mayWrite ? text.timed : text.readOnly}</p>}
      {mayWrite && !publishes && isPublished && <p className={styles.notice}>{text.keptAsEdit}</p>}
      {session.wasRestored && <Closable>{text.restored}</Closable>}
      {isEditLost && <Closable>{text.editLost}</Closable>}
      {session.device === 'fails' && (
        <p className={styles.notice} data-tone="warn">
          {text.deviceFails}
        </p>
      )}
      {names.length > 0 && (
        <p className={styles.notice} data-tone="warn">
          {text.editConflict(format.list(names))}
        </p>
      )}
      {isGone && (
        <p className={styles.notice} data-tone="warn">
          {text.goneAbout}
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => session.saver.dispatch({ kind: 'recreate', createKey: newKey() })}
          >
            {text.recreate}
          </Button>
        </p>
      )}
    </div>
  );
}

/** Stays until it has been read. */
function Closable({ children }: { readonly children: string }): ReactNode {
  const text = useText(screenTexts);
  const [isRead, setRead] = useState(false);
  return (
    !isRead && (
      <p className={styles.notice}>
        {children}
        <CloseButton size="sm" aria-label={text.close} onClick={() => setRead(true)} />
      </p>
    )
  );
}
