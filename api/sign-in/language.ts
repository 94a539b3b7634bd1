import type { Context } from 'koa';

export type Language = 'en' | 'de';

/** The language of a page that the server renders: what the browser prefers, and English otherwise. */
export function languageOf(ctx: Context): Language {
  ctx.vary('Accept-Language');
  return ctx.acceptsLanguages('en', 'de') === 'de' ? 'de' : 'en';
}
