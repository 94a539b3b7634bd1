import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { Checkbox } from '../../ui/controls.ts';
import styles from './settings.module.css';
import { screenTexts } from './text.ts';

const groups = {
  content: ['article.delete', 'media.delete', 'comment.delete', 'comments.erase'],
  keys: ['key.create', 'key.rotate', 'key.revoke'],
  webhooks: ['webhook.create', 'webhook.update', 'webhook.rotate_secret'],
  runs: ['pipeline.run', 'seo_scan.start', 'cms.push', 'autopilot.update'],
  team: ['member.add', 'member.role', 'member.remove'],
} as const;

type Group = keyof typeof groups;
export type GatedOperation = (typeof groups)[Group][number];

const all: readonly GatedOperation[] = Object.values(groups).flat();

/** Of each operation, whether agents ask before it. */
export type Choices = Readonly<Record<GatedOperation, boolean>>;

export const choicesOf = (saved: readonly string[]): Choices =>
  Object.fromEntries(all.map((operation) => [operation, saved.includes(operation)])) as Choices;

/** The operations that are saved, with the choices of a person. Those of a later API stay as they are. */
export const withChoices = (saved: readonly string[], choices: Partial<Choices>): GatedOperation[] => [
  ...(saved as readonly GatedOperation[]).filter((operation) => choices[operation] !== false),
  ...all.filter((operation) => choices[operation] === true && !saved.includes(operation)),
];

export interface ApprovalChoiceProps {
  readonly chosen: readonly GatedOperation[];
  readonly onChange: (operation: GatedOperation, isChosen: boolean) => void;
}

/** What agents ask a person before. */
export function ApprovalChoice({ chosen, onChange }: ApprovalChoiceProps): ReactNode {
  const text = useText(screenTexts).organisation;
  return (
    <fieldset className={styles.approvals}>
      <legend>{text.approvals}</legend>
      <p className={styles.hint}>{chosen.length === 0 ? text.approvalsOff : text.approvalsAbout}</p>
      <div className={styles.groups}>
        {(Object.keys(groups) as Group[]).map((group) => (
          <div key={group} role="group" aria-labelledby={`approvals-${group}`}>
            <p id={`approvals-${group}`} className={styles.group}>
              {text.groups[group]}
            </p>
            {groups[group].map((operation) => (
              <Checkbox
                key={operation}
                className={styles.operation}
                label={text.operations[operation]}
                checked={chosen.includes(operation)}
                onChange={({ currentTarget: { checked } }) => onChange(operation, checked)}
              />
            ))}
          </div>
        ))}
      </div>
    </fieldset>
  );
}
