import { useId } from 'react';
import type { ReactNode } from 'react';
import type { Result, Site, SiteWrite } from '../../../sdk/src/index.ts';
import { useText } from '../../text/texts.ts';
import { NativeSelect, NumberInput, TextInput } from '../../ui/controls.ts';
import { fieldError } from '../../ui/form.tsx';
import { SettingsForm } from './settings-form.tsx';
import styles from './settings.module.css';
import { screenTexts } from './text.ts';

/** How many people have to approve. */
const numbers = ['none', 'one', 'two'] as const;
const pages = ['article', 'category', 'tag', 'author'] as const;

/** Each address is a field of its own, so that what somebody else saved of the others stays. */
type Fields = Omit<Required<SiteWrite>, 'url_paths'> & Readonly<Record<(typeof pages)[number], string>>;

const fieldsOf = (site: Site): Fields => ({
  name: site.name,
  locale: site.locale,
  timezone: site.timezone,
  preview_url: site.preview_url,
  feed_content: site.feed_content as Fields['feed_content'],
  required_reviews: site.required_reviews,
  ai_disclosure: site.ai_disclosure as Fields['ai_disclosure'],
  max_unsupported_claims: site.max_unsupported_claims,
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
  const text = useText(screenTexts).site;
  return (
    <SettingsForm
      saved={saved}
      fieldsOf={fieldsOf}
      bodyOf={bodyOf}
      read={(presswork) => presswork.site.get()}
      update={(presswork, body, options) => presswork.site.update(body, options)}
      touches="site"
    >
      {({ values, error, set }) => (
        <>
          <TextInput
            label={text.name}
            dir="auto"
            maxLength={200}
            required
            value={values.name}
            onChange={({ currentTarget: { value } }) => set({ name: value })}
            {...fieldError(error, 'name')}
          />
          <TextInput
            label={text.locale}
            description={text.localeAbout}
            maxLength={100}
            required
            value={values.locale}
            onChange={({ currentTarget: { value } }) => set({ locale: value })}
            {...fieldError(error, 'locale')}
          />
          <TimeZone
            value={values.timezone}
            onChange={(timezone) => set({ timezone })}
            {...fieldError(error, 'timezone')}
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
              {...fieldError(error, `url_paths.${page}`)}
            />
          ))}
          <TextInput
            label={text.preview}
            description={text.previewAbout}
            maxLength={2_000}
            spellCheck={false}
            value={values.preview_url ?? ''}
            onChange={({ currentTarget: { value } }) => set({ preview_url: value === '' ? null : value })}
            {...fieldError(error, 'preview_url')}
          />
          <NativeSelect
            label={text.feeds}
            data={[
              { value: 'excerpt', label: text.feedContents.excerpt },
              { value: 'full', label: text.feedContents.full },
            ]}
            value={values.feed_content}
            onChange={({ currentTarget: { value } }) =>
              set({ feed_content: value as Fields['feed_content'] })
            }
            {...fieldError(error, 'feed_content')}
          />
          <NativeSelect
            label={text.reviews}
            description={text.reviewsAbout}
            data={numbers.map((number, index) => ({
              value: String(index),
              label: text.reviewNumbers[number],
            }))}
            value={String(values.required_reviews)}
            onChange={({ currentTarget: { value } }) => set({ required_reviews: Number(value) })}
            {...fieldError(error, 'required_reviews')}
          />
          <NativeSelect
            label={text.disclosure}
            description={text.disclosureAbout}
            data={[
              { value: 'none', label: text.disclosures.none },
              { value: 'mark', label: text.disclosures.mark },
            ]}
            value={values.ai_disclosure}
            onChange={({ currentTarget: { value } }) =>
              set({ ai_disclosure: value as Fields['ai_disclosure'] })
            }
            {...fieldError(error, 'ai_disclosure')}
          />
          <NumberInput
            className={styles.number}
            label={text.unsupported}
            description={text.unsupportedAbout}
            min={0}
            max={100}
            allowDecimal={false}
            suffix=" %"
            value={values.max_unsupported_claims ?? ''}
            onChange={(value) => set({ max_unsupported_claims: value === '' ? null : Number(value) })}
            {...fieldError(error, 'max_unsupported_claims')}
          />
        </>
      )}
    </SettingsForm>
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
