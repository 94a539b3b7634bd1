import type { ReactNode } from 'react';
import { useText } from '../../../text/texts.ts';
import { Textarea } from '../../../ui/controls.ts';
import { useSaving, useSession } from '../article/use-article.ts';
import { textOrNull, useField } from '../fields.ts';
import { slugFrom } from './slug-from.ts';
import { writingTexts } from './text.ts';
import styles from './writing.module.css';

/** The title. The slug follows it until the article is published or the slug is changed by hand. */
export function TitleField({ onEnter }: { readonly onEnter: () => void }): ReactNode {
  const text = useText(writingTexts);
  const { saver } = useSession();
  const { value, errorAt } = useField('title');
  const isLive = useSaving(({ base }) => base.target === 'pending');
  const change = (typed: string): void => {
    // A title has one line; what is pasted may have more.
    const title = typed.replaceAll(/\s*[\r\n]+\s*/g, ' ');
    const { base, mine } = saver.state;
    const isOwn = mine.slug !== slugFrom(mine.title ?? '') && mine.slug !== slugFrom(base.fields.title ?? '');
    // The API makes the first one, which is free for certain.
    const follows = base.id !== null && !isLive && !isOwn && slugFrom(title) !== '';
    saver.edit({ title: textOrNull(title), ...(follows && { slug: slugFrom(title) }) });
  };
  return (
    <Textarea
      classNames={{ input: styles.title ?? '', label: styles.unseen ?? '' }}
      label={text.title}
      placeholder={text.title}
      variant="unstyled"
      rows={1}
      dir="auto"
      maxLength={600}
      value={value ?? ''}
      error={errorAt()}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        onEnter();
      }}
    />
  );
}
