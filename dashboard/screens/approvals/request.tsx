import type { ReactNode } from 'react';
import type { ApprovalDetail } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { useText } from '../../text/texts.ts';
import { Loading } from '../../ui/notes.tsx';
import { Changes } from './changes.tsx';
import { loadTarget } from './target.ts';
import type { Target } from './target.ts';
import { screenTexts } from './text.ts';
import { Fields } from './value.tsx';
import styles from './approval.module.css';

export interface RequestProps {
  readonly approval: ApprovalDetail;
  /** It can still be decided or used. */
  readonly isOpen: boolean;
}

/** Operations whose body changes members of the target; the others have parameters, or create something. */
const changes = new Set<string>([
  'webhook.update',
  'member.role',
  'connection.update',
  'article.update_published',
]);

/** The request of the agent: its target, and its effect. */
export function Request({ approval, isOpen }: RequestProps): ReactNode {
  const { detail: text } = useText(screenTexts);
  const { id, body, action, method, path } = approval;
  const { data: found, error } = useItem({
    key: ['approvals', id, 'target'],
    load: (presswork, options) => loadTarget(presswork, approval, options).then((target) => ({ target })),
    enabled: isOpen || approval.target !== null,
  });
  const target = found?.target;
  const known = typeof target === 'object' ? target : null;
  const hasChanged = isOpen && known?.hasChanged === true;
  return (
    <section className={styles.request}>
      {hasChanged && <p className={styles.warning}>{text.targetChanged}</p>}
      {isOpen && target === 'gone' && <p className={styles.warning}>{text.targetGone}</p>}
      {target === 'old' && <p className={styles.warning}>{text.targetOld}</p>}
      {error !== null && <p className={styles.warning}>{text.targetNotRead}</p>}
      {found === undefined && error === null && isOpen && <Loading />}
      {known !== null && <About target={known} />}
      {body !== null && Object.keys(body).length > 0 && (
        <>
          <h2>{text.request}</h2>
          {known !== null && changes.has(action) ? (
            <Changes present={known.fields} body={body} />
          ) : (
            <Fields fields={body} />
          )}
        </>
      )}
      {body === null && !isOpen && method !== 'DELETE' && <p className={styles.soft}>{text.bodyGone}</p>}
      <details className={styles.sent}>
        <summary>{text.sent}</summary>
        {/* Scrolls sideways by the keyboard, too. */}
        <pre tabIndex={0} dir="ltr">
          {method} {path}
          {body !== null && `\n\n${JSON.stringify(body, null, 2)}`}
        </pre>
      </details>
    </section>
  );
}

function About({ target }: { readonly target: Target }): ReactNode {
  const { detail: text } = useText(screenTexts);
  return (
    <>
      <h2>{text.target}</h2>
      {target.imageUrl !== undefined && <img src={target.imageUrl} alt="" className={styles.image} />}
      <Fields fields={filled(target.fields)} />
    </>
  );
}

const filled = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
