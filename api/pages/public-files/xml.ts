import { html } from '../../http/html.ts';
import type { Html } from '../../http/html.ts';

/** Characters that XML 1.0 does not allow, not even escaped. */
// eslint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

type Value = Html | readonly Html[] | string | null;

/** Composes XML. Inserted values are escaped, unless they are Html; characters that XML does not allow are left out. */
export const xml = (strings: TemplateStringsArray, ...values: readonly Value[]): Html =>
  html(
    strings,
    ...values.map((value) =>
      typeof value === 'string' ? value.replaceAll(forbidden, '').toWellFormed() : value,
    ),
  );

export const document = ({ markup }: Html): string => `<?xml version="1.0" encoding="utf-8"?>\n${markup}\n`;
