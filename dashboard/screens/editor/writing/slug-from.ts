/** Letters that a hyphenated word writes with two. */
const pairs: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
};

const LONGEST = 80;

/** A slug for a title in Latin letters, cut at a word; empty for other scripts, whose slug the API makes. */
export function slugFrom(title: string): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[äöüßæøœłđ]/g, (letter) => pairs[letter] ?? '')
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]/gu, '');
  const slug = words.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
  if (slug.length <= LONGEST) return slug;
  const cut = slug.slice(0, LONGEST + 1);
  return cut.includes('-') ? cut.slice(0, cut.lastIndexOf('-')) : slug.slice(0, LONGEST);
}
