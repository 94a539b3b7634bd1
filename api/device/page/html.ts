/** Markup that may stand in a page as it is. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Value = Html | readonly Html[] | string | number | null | false;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');

/** Composes markup. Whatever is put in is text, and escaped, unless it is markup itself. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const markup = strings.map((string, index) => string + render(values[index] ?? null)).join('');
  return new Html(markup);
}

function render(value: Value): string {
  if (value === null || value === false) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'object') return value.map(({ markup }) => markup).join('');
  return escape(String(value));
}

/** Text of a stranger, without the characters that hide or turn round what stands beside them. */
export const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\u200D' ? character : '\uFFFD',
  );
