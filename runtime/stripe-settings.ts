const NAMES = 100;
const LONGEST = 200;

const form =
  'must be a JSON object from names of packs and plans to price ids, such as {"starter":"price_1","pro":"price_2"}';

/** The setting STRIPE_PRICES. @throws Error with the right form */
export function parsePrices(value: string): Readonly<Record<string, string>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    throw new Error(form);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new Error(form);
  const entries = Object.entries(parsed);
  if (entries.length > NAMES) throw new Error(`must have at most ${NAMES} names`);
  const fits = (text: unknown): text is string =>
    typeof text === 'string' && /^[\x21-\x7e]+$/.test(text) && text.length <= LONGEST;
  for (const [name, id] of entries) if (!fits(name) || !fits(id)) throw new Error(form);
  const ids = entries.map(([, id]) => id as string);
  if (new Set(ids).size < ids.length) throw new Error('must have a price id of its own for each name');
  return Object.fromEntries(entries);
}

/** The setting STRIPE_API_BASE. @throws Error with the right form */
export function parseApiBase(value: string): URL {
  const wrong = 'must be an origin without a path, such as https://api.stripe.com';
  if (!URL.canParse(value)) throw new Error(wrong);
  const url = new URL(value);
  const isOrigin = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  if (!isOrigin || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw new Error(wrong);
  return url;
}
