import { escapeHtml as escape } from '../dom.ts';

export type Payload = Readonly<Record<string, unknown>>;

const textOf = (payload: Payload, ...names: readonly string[]): string =>
  names
    .map((name) => payload[name])
    .find((value): value is string => typeof value === 'string' && value !== '') ?? '';

const objectOf = (value: unknown): Payload =>
  typeof value === 'object' && value !== null ? (value as Payload) : {};

const link = (href: string, text: string): string =>
  href === '' ? escape(text) : `<a href="${escape(href)}">${escape(text || href)}</a>`;

const figure = (content: string, payload: Payload): string => {
  const caption = textOf(payload, 'caption');
  return `<figure>${content}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;
};

/** Of a text; nothing of an empty one. */
const paragraph = (text: string): string => (text === '' ? '' : `<p>${escape(text)}</p>`);

const button = (payload: Payload): string => {
  const text = textOf(payload, 'buttonText');
  return text === '' ? '' : `<p>${link(textOf(payload, 'buttonUrl'), text)}</p>`;
};

const imageOf = (payload: Payload): string => {
  const source = textOf(payload, 'src');
  if (source === '') return '';
  const title = textOf(payload, 'title');
  const image = `<img src="${escape(source)}" alt="${escape(textOf(payload, 'alt'))}"${title === '' ? '' : ` title="${escape(title)}"`}>`;
  const href = textOf(payload, 'href');
  return href === '' ? image : `<a href="${escape(href)}">${image}</a>`;
};

const player = (element: 'audio' | 'video', payload: Payload): string => {
  const title = textOf(payload, 'title');
  const media = `<${element} controls src="${escape(textOf(payload, 'src'))}"></${element}>`;
  return `${title === '' ? '' : `<p>${escape(title)}</p>`}${figure(media, payload)}`;
};

const bookmark = (payload: Payload): string => {
  const metadata = objectOf(payload['metadata']);
  const origin = [textOf(metadata, 'author'), textOf(metadata, 'publisher')].filter(Boolean).join(' · ');
  const about = [textOf(metadata, 'description'), origin].map(paragraph).join('');
  return `<p>${link(textOf(payload, 'url'), textOf(metadata, 'title'))}</p>${about}${figure('', payload)}`;
};

const markdown = (payload: Payload): string =>
  `<pre data-presswork-markdown="">${escape(textOf(payload, 'markdown'))}</pre>`;

const heading = (payload: Payload): string => {
  const [title, about] = [textOf(payload, 'header', 'heading'), textOf(payload, 'subheader')];
  const action = payload['buttonEnabled'] === true ? button(payload) : '';
  return `${title === '' ? '' : `<h2>${title}</h2>`}${about === '' ? '' : `<p>${about}</p>`}${action}`;
};

const writers: Readonly<Record<string, (payload: Payload) => string>> = {
  image: (payload) => figure(imageOf(payload), payload),
  gallery: (payload) => {
    const images = Array.isArray(payload['images']) ? payload['images'] : [];
    return `${images.map((image) => `<p>${imageOf(objectOf(image))}</p>`).join('')}${figure('', payload)}`;
  },
  markdown,
  'card-markdown': markdown,
  html: (payload) => textOf(payload, 'html'),
  embed: (payload) =>
    figure(textOf(payload, 'html') || `<p>${link(textOf(payload, 'url'), '')}</p>`, payload),
  code: (payload) => {
    const language = escape(textOf(payload, 'language'));
    return figure(`<pre data-language="${language}">${escape(textOf(payload, 'code'))}</pre>`, payload);
  },
  hr: () => '<hr>',
  bookmark,
  callout: (payload) => {
    const text = textOf(payload, 'calloutText')
      .replace(/^<p>/, '')
      .replace(/<\/p>$/, '');
    return `<blockquote><p>${escape(textOf(payload, 'calloutEmoji'))} ${text}</p></blockquote>`;
  },
  toggle: (payload) =>
    `<details><summary>${textOf(payload, 'heading')}</summary>${textOf(payload, 'content')}</details>`,
  button,
  'call-to-action': (payload) =>
    `${textOf(payload, 'sponsorLabel')}${imageOf({ src: payload['imageUrl'] })}${textOf(payload, 'textValue')}${payload['showButton'] === false ? '' : button(payload)}`,
  audio: (payload) => player('audio', payload),
  video: (payload) => player('video', payload),
  file: (payload) => {
    const [title, name] = [textOf(payload, 'fileTitle'), textOf(payload, 'fileName')];
    const about = [textOf(payload, 'fileCaption'), title === '' ? '' : name].map(paragraph).join('');
    return `<p>${link(textOf(payload, 'src'), title || name)}</p>${about}`;
  },
  product: (payload) => {
    const image = imageOf({ src: payload['productImageSrc'] });
    const button = link(textOf(payload, 'productUrl'), textOf(payload, 'productButton'));
    return `<p>${image}</p><p><strong>${textOf(payload, 'productTitle')}</strong></p>${textOf(payload, 'productDescription')}<p>${button}</p>`;
  },
  header: heading,
  paywall: () => '',
};

/** Names of cards that differ between the two editors. */
const ALIASES: Readonly<Record<string, string>> = { codeblock: 'code', horizontalrule: 'hr' };

/** Converts a card of Ghost's editors to HTML. @returns null for an unknown one, such as an e-mail or members card */
export function cardHtml(name: string, payload: Payload): string | null {
  const known = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  return known !== undefined && Object.hasOwn(writers, known) ? (writers[known]?.(payload) ?? null) : null;
}
