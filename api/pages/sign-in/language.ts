import type { Context } from 'koa';

export type Language = 'en' | 'de';

/** The language of a page that the server renders: the browser's preference, and English otherwise. */
export function languageOf(ctx: Context): Language {
  ctx.vary('Accept-Language');
  return ctx.acceptsLanguages('en', 'de') === 'de' ? 'de' : 'en';
}
