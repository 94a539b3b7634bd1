import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { Checkbox, Switch } from '../../ui/controls.ts';
import styles from './settings.module.css';
import { screenTexts } from './text.ts';

const groups = {
  content: [
    'article.delete',
    'media.delete',
    'category.delete',
    'tag.delete',
    'author.delete',
    'preview_link.delete',
  ],
  comments: ['comment.delete', 'comments.erase', 'comments.settings'],
  keys: ['key.create', 'key.rotate', 'key.revoke'],
  webhooks: ['webhook.create', 'webhook.update', 'webhook.rotate_secret', 'webhook.delete'],
  connections: ['cms.push', 'connection.create', 'connection.update', 'connection.delete'],
  runs: [
    'pipeline.run',
    'seo_scan.start',
    'autopilot.update',
    'plan_item.delete',
    'prompt.reset',
    'prompt.try',
  ],
  team: ['member.add', 'member.role', 'member.remove'],
} as const;

/** One switch sets all of these. */
const whatReadersSee = [
  'article.publish',
  'article.unpublish',
  'article.schedule',
  'article.update_published',
  'pending_edit.publish',
  'pending_edit.schedule',
  'articles.bulk',
] as const;

type Group = keyof typeof groups;
type Listed = (typeof groups)[Group][number];
export type GatedOperation = Listed | (typeof whatReadersSee)[number];

const all: readonly GatedOperation[] = [...whatReadersSee, ...Object.values(groups).flat()];

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
  readonly onChange: (operations: readonly GatedOperation[], isChosen: boolean) => void;
}

/** The operations that agents ask a person about. */
export function ApprovalChoice({ chosen, onChange }: ApprovalChoiceProps): ReactNode {
  const text = useText(screenTexts).organisation;
  return (
    <fieldset className={styles.approvals}>
      <legend>{text.approvals}</legend>
      <p className={styles.hint}>{chosen.length === 0 ? text.approvalsOff : text.approvalsAbout}</p>
      <Switch
        label={text.whatReadersSee}
        description={text.whatReadersSeeAbout}
        checked={whatReadersSee.every((operation) => chosen.includes(operation))}
        onChange={({ currentTarget: { checked } }) => onChange(whatReadersSee, checked)}
      />
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
                onChange={({ currentTarget: { checked } }) => onChange([operation], checked)}
              />
            ))}
          </div>
        ))}
      </div>
    </fieldset>
  );
}
