import { build, buildLink, oneLine } from '../dom.ts';
import type { DomElement, DomNode } from '../dom.ts';

/** Replaces Ghost's rendered cards, which need its styles and scripts, by plain elements. */
export function simplifyCards(body: DomElement, note: (message: string) => void): void {
  const each = (selector: string, change: (card: DomElement) => readonly DomNode[]): void => {
    for (const card of body.querySelectorAll(selector)) card.replaceWith(...change(card));
  };
  each('.kg-bookmark-card', bookmark);
  each('.kg-callout-card', callout);
  each('.kg-toggle-card', toggle);
  each('.kg-file-card', file);
  each('.kg-audio-card, .kg-video-card', player);
  each('.kg-product-card', product);
  each('.kg-signup-card', () => {
    note('its sign-up card is left out');
    return [];
  });
}

const textIn = (card: DomElement, selector: string): string =>
  oneLine(card.querySelector(selector)?.textContent ?? '');

const captionOf = (card: DomElement): DomElement[] => {
  const caption = card.querySelector('figcaption');
  return caption === null ? [] : [caption];
};

/** Of the texts that are not empty. */
const paragraphs = (card: DomElement, ...texts: readonly string[]): DomElement[] =>
  texts.filter((text) => text !== '').map((text) => build(card, 'p', text));

function bookmark(card: DomElement): DomNode[] {
  const href = card.querySelector('a[href]')?.getAttribute('href') ?? null;
  const title = textIn(card, '.kg-bookmark-title') || href || '';
  const origin = ['.kg-bookmark-author', '.kg-bookmark-publisher'].map((name) => textIn(card, name));
  return [
    build(card, 'p', buildLink(card, href, title)),
    ...paragraphs(card, textIn(card, '.kg-bookmark-description'), origin.filter(Boolean).join(' · ')),
    ...captionOf(card),
  ];
}

function callout(card: DomElement): DomNode[] {
  const text = card.querySelector('.kg-callout-text');
  const emoji = textIn(card, '.kg-callout-emoji');
  const words = text === null ? [card.textContent] : [...text.childNodes];
  return [build(card, 'blockquote', build(card, 'p', ...(emoji === '' ? [] : [`${emoji} `]), ...words))];
}

function toggle(card: DomElement): DomNode[] {
  const heading = textIn(card, '.kg-toggle-heading-text');
  const content = card.querySelector('.kg-toggle-content');
  return [build(card, 'details', build(card, 'summary', heading), ...(content?.childNodes ?? []))];
}

function file(card: DomElement): DomNode[] {
  const link = card.querySelector('a[href]');
  const title = textIn(card, '.kg-file-card-title') || textIn(card, '.kg-file-card-filename');
  const details = ['.kg-file-card-filename', '.kg-file-card-filesize'].map((name) => textIn(card, name));
  const href = link?.getAttribute('href') ?? null;
  return [
    build(card, 'p', buildLink(card, href, title || href || '')),
    ...paragraphs(
      card,
      textIn(card, '.kg-file-card-caption'),
      details.filter((text) => text !== '' && text !== title).join(', '),
    ),
  ];
}

function player(card: DomElement): DomNode[] {
  const media = card.querySelector('audio, video');
  const title = textIn(card, '.kg-audio-title');
  if (media === null) return captionOf(card);
  // The size and the poster belong to a placeholder image that Ghost's script replaces.
  for (const name of ['preload', 'playsinline', 'loop', 'muted', 'autoplay', 'poster', 'width', 'height']) {
    media.removeAttribute(name);
  }
  media.setAttribute('controls', '');
  return [...(title === '' ? [] : [build(card, 'p', title)]), media, ...captionOf(card)];
}

function product(card: DomElement): DomNode[] {
  const image = card.querySelector('img.kg-product-card-image');
  const title = textIn(card, '.kg-product-card-title');
  const description = card.querySelector('.kg-product-card-description');
  const button = card.querySelector('a.kg-product-card-button');
  return [
    ...(image === null ? [] : [build(card, 'p', image)]),
    ...(title === '' ? [] : [build(card, 'p', build(card, 'strong', title))]),
    ...(description?.childNodes ?? []),
    ...(button === null
      ? []
      : [build(card, 'p', buildLink(card, button.getAttribute('href'), oneLine(button.textContent)))]),
  ];
}
