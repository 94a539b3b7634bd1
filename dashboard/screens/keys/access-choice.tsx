import { useState } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { Checkbox, Code, Radio, Stack } from '../../ui/controls.ts';
import { allScopes, taskNames, tasks } from './tasks.ts';
import type { KeyScope, Task } from './tasks.ts';
import { screenTexts } from './text.ts';
import styles from './access-choice.module.css';

export interface AccessChoiceProps {
  readonly scopes: readonly KeyScope[];
  /** Whether this key of this person can have the scope. */
  readonly mayCarry: (scope: KeyScope) => boolean;
  readonly onChange: (scopes: readonly KeyScope[]) => void;
  readonly error: string | undefined;
}

/** The scopes of a key: by what it is for, or scope by scope under Details. */
export function AccessChoice({ scopes, mayCarry, onChange, error }: AccessChoiceProps): ReactNode {
  const text = useText(screenTexts);
  const [task, setTask] = useState<Task | 'custom'>('read');
  // “Everything” is less for a person or a kind of key that cannot have all of it.
  const offered = taskNames.filter((name) => name === 'everything' || tasks[name].every(mayCarry));
  const shown = task === 'custom' || offered.includes(task) ? task : 'custom';
  const choose = (name: Task | 'custom'): void => {
    setTask(name);
    if (name !== 'custom') onChange(tasks[name]);
  };
  const toggle = (scope: KeyScope): void => {
    setTask('custom');
    onChange(scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope]);
  };
  return (
    <div>
      <Radio.Group
        label={text.form.task}
        name="scopes"
        value={shown}
        error={error}
        onChange={(name) => choose(name)}
      >
        <Stack gap="xs" mt="xs" mb="xs">
          {[...offered, ...(shown === 'custom' ? (['custom'] as const) : [])].map((name) => (
            <Radio key={name} value={name} label={text.tasks[name]} description={text.taskAbout[name]} />
          ))}
        </Stack>
      </Radio.Group>
      <details className={styles.details}>
        <summary>{text.form.details}</summary>
        <fieldset>
          <legend className={styles.legend}>{text.form.scopes}</legend>
          {allScopes.filter(mayCarry).map((scope) => (
            <Checkbox
              key={scope}
              size="xs"
              label={<Code>{scope}</Code>}
              checked={scopes.includes(scope)}
              onChange={() => toggle(scope)}
            />
          ))}
        </fieldset>
      </details>
    </div>
  );
}
