import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import type { Result, Site, SiteWrite } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { isConflict } from '../../api/queries.ts';
import { useText } from '../../text/texts.ts';
import { NativeSelect, TextInput } from '../../ui/controls.ts';
import { fieldError, Form } from '../../ui/form.tsx';
import { differing } from './changes.ts';
import { SaveButtons } from './save-buttons.tsx';
import styles from './settings.module.css';
import { screenTexts } from './text.ts';

type Values = Required<SiteWrite>;

const pages = ['article', 'category', 'tag', 'author'] as const;

/** What the administrators of a Site change about it. */
export function SiteForm({ saved }: { readonly saved: Result<Site> }): ReactNode {
  const texts = useText(screenTexts);
  const text = texts.site;
  const [changed, setChanged] = useState<Partial<Values>>({});
  const values = { ...(saved as Values), ...changed };
  const changes = differing<Values>(saved as Values, changed);
  const isDirty = Object.keys(changes).length > 0;
  const save = useChange({
    send: (presswork, update: SiteWrite) => presswork.site.update(update, { ifMatch: saved }),
    touches: ['site'],
    errors: 'here',
    done: () => texts.saved,
    onDone: () => setChanged({}),
  });
  const isTaken = isConflict(save.error);
  const set = (part: Partial<Values>): void => setChanged((before) => ({ ...before, ...part }));
  const discard = (): void => {
    setChanged({});
    save.reset();
  };
  return (
    <Form
      onSubmit={() => save.mutate(changes)}
      error={isTaken ? null : save.error}
      isDirty={isDirty}
      actions={<SaveButtons isDirty={isDirty} isSaving={save.isPending} onDiscard={discard} />}
    >
      <TextInput
        label={text.name}
        dir="auto"
        maxLength={200}
        required
        value={values.name}
        onChange={({ currentTarget: { value } }) => set({ name: value })}
        {...fieldError(save.error, 'name')}
      />
      <TextInput
        label={text.locale}
        description={text.localeAbout}
        maxLength={100}
        required
        value={values.locale}
        onChange={({ currentTarget: { value } }) => set({ locale: value })}
        {...fieldError(save.error, 'locale')}
      />
      <TimeZone
        value={values.timezone}
        onChange={(timezone) => set({ timezone })}
        {...fieldError(save.error, 'timezone')}
      />
      <h3 className={styles.part}>{text.pages}</h3>
      <p className={styles.about}>{text.pagesAbout(saved.domain)}</p>
      {pages.map((page) => (
        <TextInput
          key={page}
          label={text.paths[page]}
          maxLength={500}
          required
          spellCheck={false}
          value={values.url_paths[page]}
          onChange={({ currentTarget: { value } }) =>
            set({ url_paths: { ...values.url_paths, [page]: value } })
          }
          {...fieldError(save.error, `url_paths.${page}`)}
        />
      ))}
      <TextInput
        label={text.preview}
        description={text.previewAbout}
        maxLength={2_000}
        spellCheck={false}
        value={values.preview_url ?? ''}
        onChange={({ currentTarget: { value } }) => set({ preview_url: value === '' ? null : value })}
        {...fieldError(save.error, 'preview_url')}
      />
      <NativeSelect
        label={text.feeds}
        data={[
          { value: 'excerpt', label: text.feedContents.excerpt },
          { value: 'full', label: text.feedContents.full },
        ]}
        value={values.feed_content}
        onChange={({ currentTarget: { value } }) => set({ feed_content: value as Values['feed_content'] })}
        {...fieldError(save.error, 'feed_content')}
      />
      {isTaken && (
        <p className={styles.conflict} role="alert">
          {texts.organisation.conflict}
        </p>
      )}
    </Form>
  );
}

interface TimeZoneProps {
  readonly value: string;
  readonly onChange: (timezone: string) => void;
  readonly name: string;
  readonly error: string | undefined;
}

/** Typed, with what the browser knows to choose from. */
function TimeZone({ onChange, ...field }: TimeZoneProps): ReactNode {
  const text = useText(screenTexts).site;
  const list = useId();
  return (
    <>
      <TextInput
        label={text.timezone}
        description={text.timezoneAbout}
        maxLength={100}
        required
        spellCheck={false}
        list={list}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        {...field}
      />
      <datalist id={list}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
