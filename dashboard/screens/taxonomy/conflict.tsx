import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { screenTexts } from './text.ts';
import type { Typed } from './typed.ts';
import styles from './term-form.module.css';

export interface ConflictProps {
  readonly theirs: Typed;
  readonly yours: Typed;
  readonly onUseTheirs: () => void;
  readonly onKeepYours: () => void;
}

const names = {
  name: 'name',
  slug: 'slug',
  bio: 'bio',
  avatar_url: 'picture',
  is_ai_generated: 'isAi',
} as const satisfies Record<keyof Typed, string>;

/** What somebody else saved beside what was typed, for a person to choose. */
export function Conflict({ theirs, yours, onUseTheirs, onKeepYours }: ConflictProps): ReactNode {
  const text = useText(screenTexts);
  const show = (value: string | boolean): string =>
    typeof value === 'boolean' ? text.conflict[value ? 'yes' : 'no'] : value || text.conflict.empty;
  const different = (Object.keys(names) as (keyof Typed)[]).filter((name) => theirs[name] !== yours[name]);
  return (
    <div role="alert" className={styles.conflict}>
      <p>
        <strong>{text.conflict.title}</strong>
      </p>
      {different.map((name) => (
        <dl key={name}>
          <dt>{text.form[names[name]]}</dt>
          <dd>
            {text.conflict.theirs}: <bdi>{show(theirs[name])}</bdi>
          </dd>
          <dd>
            {text.conflict.yours}: <bdi>{show(yours[name])}</bdi>
          </dd>
        </dl>
      ))}
      <div className={styles.choices}>
        <Button size="xs" variant="default" onClick={onUseTheirs}>
          {text.conflict.takeTheirs}
        </Button>
        <Button size="xs" onClick={onKeepYours}>
          {text.conflict.keepYours}
        </Button>
      </div>
    </div>
  );
}
