import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useFailure } from '../../../api/failure.ts';
import { request } from '../../../session/request.ts';
import { useSiteId } from '../../../api/site.ts';
import { useText } from '../../../text/texts.ts';
import type { Fields } from '../saving/fields.ts';
import { screenTexts } from '../text.ts';
import { panelTexts } from './text.ts';
import styles from './panels.module.css';

export interface ArticlePreviewProps {
  readonly fields: Fields;
  /** Gives the frame its height. */
  readonly className: string | undefined;
}

/** How readers will see a text. The server makes it, as it does for them; in the frame nothing runs. */
export function ArticlePreview({ fields, className }: ArticlePreviewProps): ReactNode {
  const text = useText(panelTexts);
  const { untitled } = useText(screenTexts);
  const failure = useFailure();
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const siteId = useSiteId();
  useEffect(() => {
    const page = frame.current?.contentDocument;
    if (!isReady || !page) return;
    let isWanted = true;
    const shown = shownOf(fields.title?.trim() ? fields : { ...fields, title: untitled });
    request<{ html: string }>('POST', `/sites/${siteId}/preview`, shown).then(
      ({ html }) => {
        if (!isWanted) return;
        show(page, html);
        setError(null);
      },
      (reason: unknown) => isWanted && setError(reason),
    );
    return () => {
      isWanted = false;
    };
  }, [fields, isReady, siteId, untitled]);
  return (
    <div className={className}>
      {error !== null && (
        <p className={styles.stale}>
          {text.stale} {failure(error)}
        </p>
      )}
      <iframe
        ref={frame}
        title={text.preview}
        src="/dashboard/preview"
        sandbox="allow-same-origin"
        onLoad={() => setReady(true)}
      />
    </div>
  );
}

/** An address that is being typed is left out, so that the rest is shown. */
const shownOf = ({ featured_image_url: url, howto_steps: steps, ...fields }: Fields): object => ({
  title: fields.title,
  content: fields.content,
  sources: fields.sources,
  excerpt: fields.excerpt,
  key_takeaways: fields.key_takeaways,
  comparison: fields.comparison,
  faqs: fields.faqs,
  featured_image_url: webUrlOrNull(url),
  howto_steps: steps?.map((step) => ({ ...step, image_url: webUrlOrNull(step.image_url) })) ?? null,
});

const webUrlOrNull = (url: string | null | undefined): string | null =>
  url && /^https?:$/.test(URL.parse(url)?.protocol ?? '') ? url : null;

/** Replaces the content of the frame; where it is scrolled to stays. */
function show(page: Document, html: string): void {
  const article = new DOMParser().parseFromString(html, 'text/html').body.firstElementChild;
  if (article === null) return;
  for (const part of article.querySelectorAll('h1, p, li, dt, dd, td, th, blockquote, h2, h3, h4')) {
    part.setAttribute('dir', 'auto');
  }
  // A link would lead out of the frame, and of the text.
  for (const link of article.querySelectorAll('a')) link.setAttribute('target', '_blank');
  page.body.replaceChildren(page.importNode(article, true));
}
