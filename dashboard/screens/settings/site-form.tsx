import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import type { Result, Site, SiteWrite } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { differing, useBase } from '../../api/form-base.ts';
import { isConflict } from '../../api/queries.ts';
import { useText } from '../../text/texts.ts';
import { NativeSelect, TextInput } from '../../ui/controls.ts';
import { fieldError, Form } from '../../ui/form.tsx';
import { SaveButtons } from './save-buttons.tsx';
import styles from './settings.module.css';
import { screenTexts } from './text.ts';

const pages = ['article', 'category', 'tag', 'author'] as const;

/** Each address is a field of its own, so that what somebody else saved of the others stays. */
type Fields = Omit<Required<SiteWrite>, 'url_paths'> & Readonly<Record<(typeof pages)[number], string>>;

const fieldsOf = (site: Site): Fields => ({
  name: site.name,
  locale: site.locale,
  timezone: site.timezone,
  preview_url: site.preview_url,
  feed_content: site.feed_content as Fields['feed_content'],
  ...site.url_paths,
});

function bodyOf(changed: Partial<Fields>, { url_paths: saved }: Site): SiteWrite {
  const { article, category, tag, author, ...others } = changed;
  if (pages.every((page) => changed[page] === undefined)) return others;
  const url_paths = {
    article: article ?? saved.article,
    category: category ?? saved.category,
    tag: tag ?? saved.tag,
    author: author ?? saved.author,
  };
  return { ...others, url_paths };
}

/** The settings of a Site for its administrators. */
export function SiteForm({ saved }: { readonly saved: Result<Site> }): ReactNode {
  const texts = useText(screenTexts);
  const text = texts.site;
  const [changed, setChanged] = useState<Partial<Fields>>({});
  const isDirty = Object.keys(changed).length > 0;
  const [base, setBase] = useBase(saved, !isDirty);
  const values = { ...fieldsOf(base), ...changed };
  const save = useChange({
    send: async (presswork, update: SiteWrite) => {
      try {
        return await presswork.site.update(update, { ifMatch: base });
      } catch (error) {
        if (isConflict(error)) setBase(await presswork.site.get());
        throw error;
      }
    },
    touches: ['site'],
    errors: 'here',
    done: () => texts.saved,
    onDone: (output) => {
      setBase(output);
      setChanged({});
    },
  });
  const isTaken = isConflict(save.error);
  const set = (part: Partial<Fields>): void =>
    setChanged((before) => differing(fieldsOf(base), { ...before, ...part }));
  const discard = (): void => {
    setChanged({});
    save.reset();
  };
  return (
    <Form
      onSubmit={() => save.mutate(bodyOf(changed, base))}
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
          value={values[page]}
          onChange={({ currentTarget: { value } }) => set({ [page]: value })}
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
        onChange={({ currentTarget: { value } }) => set({ feed_content: value as Fields['feed_content'] })}
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

/** Typed, with the browser's suggestions. */
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
