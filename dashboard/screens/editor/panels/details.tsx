import { useState } from 'react';
import type { ReactNode } from 'react';
import { useSite } from '../../../api/site.ts';
import { originTexts, origins } from '../../../content/origin.tsx';
import { useText } from '../../../text/texts.ts';
import { Button, TextInput, Textarea } from '../../../ui/controls.ts';
import { onDemand } from '../../../ui/on-demand.tsx';
import { useSaving } from '../article/use-article.ts';
import { fieldTexts } from '../field-text.ts';
import { textOrNull, useField } from '../fields.ts';
import { imageTexts } from '../images/text.ts';
import { slugFrom } from '../writing/slug-from.ts';
import { OnePicker, TagsPicker } from './term-picker.tsx';
import { panelTexts } from './text.ts';
import styles from './panels.module.css';

const Sources = onDemand(async () => (await import('./sources.tsx')).Sources);
const ImageDialog = onDemand(async () => (await import('../images/image-dialog.tsx')).ImageDialog);

/** The parts of an article besides its text. */
export function Details(): ReactNode {
  const text = useText(panelTexts);
  const names = useText(fieldTexts);
  const excerpt = useField('excerpt');
  const category = useField('category_id');
  const author = useField('author_id');
  const tags = useField('tag_ids');
  return (
    <>
      <SlugField />
      <Textarea
        label={names.excerpt}
        description={text.excerptAbout}
        rows={4}
        dir="auto"
        value={excerpt.value ?? ''}
        error={excerpt.errorAt()}
        onChange={({ currentTarget }) => excerpt.set(textOrNull(currentTarget.value))}
      />
      <OnePicker
        resource="categories"
        label={names.category_id}
        value={category.value}
        onChange={category.set}
        error={category.errorAt()}
      />
      <TagsPicker label={names.tag_ids} value={tags.value} onChange={tags.set} error={tags.errorAt()} />
      <OnePicker
        resource="authors"
        label={names.author_id}
        value={author.value}
        onChange={author.set}
        error={author.errorAt()}
      />
      <FeaturedImage />
      <Sources />
      <OriginLine />
    </>
  );
}

/** Who wrote the text, so far as it is saved. */
function OriginLine(): ReactNode {
  const text = useText(originTexts);
  const saved = useSaving(({ base }) => base.lifecycle.origin);
  const origin = origins.find((known) => known === saved);
  return origin !== undefined && <p className={styles.address}>{`${text.label}: ${text[origin]}`}</p>;
}

function SlugField(): ReactNode {
  const text = useText(panelTexts);
  const names = useText(fieldTexts);
  const { domain } = useSite();
  const slug = useField('slug');
  const title = useSaving(({ mine }) => mine.title);
  const live = useSaving(({ base }) => base.lifecycle.live_slug);
  const proposal = slugFrom(title ?? '');
  return (
    <div>
      <TextInput
        label={names.slug}
        description={text.slugAbout}
        value={slug.value ?? ''}
        error={slug.errorAt()}
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ currentTarget }) => slug.set(textOrNull(currentTarget.value))}
      />
      {live !== null && slug.value !== live && (
        <p className={styles.warning} role="status">
          {text.slugWarning(`${domain}/…/${live}`)}
        </p>
      )}
      {proposal !== '' && proposal !== slug.value && live === null && (
        <Button size="compact-xs" variant="subtle" mt={4} onClick={() => slug.set(proposal)}>
          {text.slugFromTitle}
        </Button>
      )}
    </div>
  );
}

function FeaturedImage(): ReactNode {
  const names = useText(fieldTexts);
  const images = useText(imageTexts);
  const image = useField('featured_image_url');
  const [file, setFile] = useState<File | null>(null);
  return (
    <div>
      <TextInput
        label={names.featured_image_url}
        description={images.address}
        type="url"
        value={image.value ?? ''}
        error={image.errorAt()}
        onChange={({ currentTarget }) => image.set(textOrNull(currentTarget.value.trim()))}
      />
      <div className={styles.row}>
        <Button component="label" size="compact-sm" variant="default" mt={6}>
          {images.upload}
          <input
            type="file"
            accept="image/*"
            hidden
            onChange={({ currentTarget }) => {
              setFile(currentTarget.files?.[0] ?? null);
              currentTarget.value = '';
            }}
          />
        </Button>
      </div>
      {file !== null && (
        <ImageDialog
          file={file}
          onReady={({ asset }) => {
            image.set(asset.url);
            setFile(null);
          }}
          onClose={() => setFile(null)}
        />
      )}
    </div>
  );
}
