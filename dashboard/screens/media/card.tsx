import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { MediaAsset } from '../../../sdk/src/index.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Button, Menu } from '../../ui/controls.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { Sign } from '../../ui/sign.tsx';
import { markdownOf, useNameOf } from './names.ts';
import { screenTexts } from './text.ts';
import { useCopy } from './use-copy.ts';
import styles from './grid.module.css';

const AltTextEditor = onDemand(async () => (await import('./alt-text.tsx')).AltTextEditor);

const route = getRouteApi('/$siteId/media');

export interface CardProps {
  readonly image: MediaAsset;
  readonly onDelete: (image: MediaAsset) => void;
}

/** An image of the library with its alternative text, which is edited in place. */
export function Card({ image, onDelete }: CardProps): ReactNode {
  const text = useText(screenTexts);
  const format = useFormat();
  const { id: siteId, rights } = useSite();
  const search = route.useSearch();
  const copy = useCopy();
  const name = useNameOf()(image);
  return (
    <li className={styles.card} data-image={image.id}>
      <Link
        className={styles.open}
        to="/$siteId/media"
        params={{ siteId }}
        search={{ ...search, image: image.id }}
        aria-label={text.open(name)}
        resetScroll={false}
      >
        <img
          src={image.url}
          alt=""
          loading="lazy"
          decoding="async"
          width={image.width ?? undefined}
          height={image.height ?? undefined}
        />
      </Link>
      <div className={styles.head}>
        <div className={styles.names}>
          <p className={styles.name} dir="auto" title={name}>
            {name}
          </p>
          <p className={styles.size}>
            {image.width !== null &&
              image.height !== null &&
              text.pixels(format.number(image.width), format.number(image.height))}
          </p>
        </div>
        <RowMenu label={text.actions(name)}>
          <Menu.Item onClick={() => copy(image.url, text.copiedUrl)}>{text.copyUrl}</Menu.Item>
          <Menu.Item onClick={() => copy(markdownOf(image), text.copiedMarkdown)}>
            {text.copyMarkdown}
          </Menu.Item>
          {rights.can('media:write') && (
            <Menu.Item color="red" onClick={() => onDelete(image)}>
              {text.delete}
            </Menu.Item>
          )}
        </RowMenu>
      </div>
      <AltText image={image} name={name} />
    </li>
  );
}

function AltText({ image, name }: { readonly image: MediaAsset; readonly name: string }): ReactNode {
  const text = useText(screenTexts).alt;
  const { rights } = useSite();
  const [isEditing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isMissing = (image.alt_text ?? '') === '';
  const close = (): void => {
    setEditing(false);
    // The button is back on the page when this is done.
    setTimeout(() => button.current?.focus());
  };
  if (isEditing)
    return (
      <div className={styles.editor}>
        <AltTextEditor id={image.id} onClose={close} />
      </div>
    );
  return (
    <div className={styles.alt}>
      {isMissing ? (
        <Sign tone="warn">{text.missing}</Sign>
      ) : (
        <p className={styles.altText} dir="auto">
          {image.alt_text}
        </p>
      )}
      {rights.can('media:write') && (
        <Button
          ref={button}
          className={styles.edit}
          size="compact-xs"
          variant="subtle"
          aria-label={isMissing ? text.addTo(name) : text.editOf(name)}
          onClick={() => setEditing(true)}
        >
          {isMissing ? text.add : text.edit}
        </Button>
      )}
    </div>
  );
}
