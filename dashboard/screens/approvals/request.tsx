import type { ReactNode } from 'react';
import type { ApprovalDetail } from '../../../sdk/src/index.ts';
import { useText } from '../../text/texts.ts';
import { Loading } from '../../ui/notes.tsx';
import { Changes } from './changes.tsx';
import { Place } from './place.tsx';
import { useTarget } from './subject.tsx';
import type { Target } from './target.ts';
import { screenTexts } from './text.ts';
import { TextChange } from './text-change.tsx';
import { Fields } from './value.tsx';
import styles from './approval.module.css';

export interface RequestProps {
  readonly approval: ApprovalDetail;
  /** It can still be decided or used. */
  readonly isOpen: boolean;
  /** Among others, below a heading of its own. */
  readonly isListed?: boolean;
}

/** Operations whose body changes members of the target; the others have parameters, or create something. */
const changes = new Set<string>([
  'webhook.update',
  'member.role',
  'connection.update',
  'comments.settings',
  'autopilot.update',
  'article.schedule',
  'prompt.reset',
]);

/** The fields of the target afterwards; null if the request does not say. */
function fieldsAfter({ action, body, path }: ApprovalDetail, target: Target): Target['fields'] | null {
  if (target.after !== undefined) return target.after;
  const isSchedule = action === 'pending_edit.schedule' && path.endsWith('/schedule');
  return changes.has(action) || isSchedule ? body : null;
}

/** The request of the agent: its target, and its effect. */
export function Request({ approval, isOpen, isListed = false }: RequestProps): ReactNode {
  const { detail: text } = useText(screenTexts);
  const { body, method, path } = approval;
  const Heading = isListed ? 'h3' : 'h2';
  const { data: found, error } = useTarget(approval, isOpen || approval.target !== null);
  const target = found?.target;
  const known = typeof target === 'object' ? target : null;
  const hasChanged = isOpen && known?.hasChanged === true;
  const after = known && fieldsAfter(approval, known);
  const textChange = known?.text ?? null;
  // The body of an edit is the fields of the article, which are compared.
  const isCompared = after !== null || (textChange !== null && method === 'PATCH');
  // The articles of a list are named above.
  const sent = known?.fields['article_count'] === undefined ? body : withoutIds(body);
  return (
    <section className={styles.request}>
      {hasChanged && <p className={styles.warning}>{text.targetChanged}</p>}
      {isOpen && target === 'gone' && <p className={styles.warning}>{text.targetGone}</p>}
      {target === 'old' && <p className={styles.warning}>{text.targetOld}</p>}
      {error !== null && <p className={styles.warning}>{text.targetNotRead}</p>}
      {found === undefined && error === null && isOpen && <Loading />}
      {known !== null && <About target={known} without={after} Heading={Heading} />}
      {known !== null && <Place approval={approval} />}
      {(isCompared || textChange !== null || hasFields(sent)) && <Heading>{text.request}</Heading>}
      {known !== null && after !== null && <Changes present={known.fields} body={after} />}
      {textChange !== null && <TextChange {...textChange} />}
      {!isCompared && hasFields(sent) && <Fields fields={sent} />}
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

interface AboutProps {
  readonly target: Target;
  /** Fields that are shown as they are and as they would be. */
  readonly without: Target['fields'] | null;
  readonly Heading: 'h2' | 'h3';
}

function About({ target, without, Heading }: AboutProps): ReactNode {
  const { detail: text } = useText(screenTexts);
  return (
    <>
      <Heading>{text.target}</Heading>
      {target.imageUrl !== undefined && <img src={target.imageUrl} alt="" className={styles.image} />}
      <Fields fields={filled(target.fields, without ?? {})} />
    </>
  );
}

const filled = (fields: Target['fields'], without: Target['fields']): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== null && !Object.hasOwn(without, name)),
  );

const withoutIds = (body: ApprovalDetail['body']): ApprovalDetail['body'] => {
  const { article_ids: _, ...others } = body ?? {};
  return others;
};

const hasFields = (body: ApprovalDetail['body']): body is Record<string, unknown> =>
  body !== null && Object.keys(body).length > 0;
