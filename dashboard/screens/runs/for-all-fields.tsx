import type { ReactNode } from 'react';
import { useItem } from '../../api/item.ts';
import { TermPicker } from '../../content/term-picker.tsx';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Fieldset, Select } from '../../ui/controls.ts';
import { fieldError } from '../../ui/form.tsx';
import styles from './new.module.css';
import { startTexts } from './text.ts';
import type { ForAll } from './topic.ts';

export interface ForAllProps {
  readonly value: ForAll;
  readonly onChange: (value: ForAll) => void;
  readonly error: unknown;
}

/** The common settings of all articles of the run. */
export function ForAllFields({ value, onChange, error }: ForAllProps): ReactNode {
  const { rights } = useSite();
  const text = useText(startTexts);
  const { data: formats } = useItem({
    key: ['content-types'],
    load: (presswork, options) => presswork.contentTypes.list(options),
    enabled: rights.can('meta:read'),
  });
  const options = (formats?.items ?? [])
    .filter(({ is_active: isActive }) => isActive)
    .map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Fieldset legend={text.forAll} variant="unstyled" className={styles.group}>
      <div className={styles.forAll}>
        <Select
          label={text.format}
          placeholder={text.formatNone}
          data={options}
          clearable
          value={value.format}
          onChange={(format) => onChange({ ...value, format })}
          {...fieldError(error, 'topics.0.format_id')}
        />
        <TermPicker
          kind="categories"
          label={text.category}
          value={value.category}
          onChange={(category) => onChange({ ...value, category })}
          {...fieldError(error, 'topics.0.category_id')}
        />
        <TermPicker
          kind="authors"
          label={text.author}
          value={value.author}
          onChange={(author) => onChange({ ...value, author })}
          {...fieldError(error, 'topics.0.author_id')}
        />
      </div>
    </Fieldset>
  );
}
