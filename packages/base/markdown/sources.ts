/** A source of an article, as its readers are told. */
export interface CitedSource {
  readonly n: number;
  readonly url: string;
  readonly title: string | null;
  readonly published_at: string | null;
}

/**
 * The definitions of the footnotes by which a content cites its sources, as Markdown: a content has their numbers alone
 * (docs/spec/rulings.md, 25).
 */
export const definitionsOf = (sources: readonly CitedSource[] | null): string =>
  (sources ?? [])
    .map(({ n, url, title, published_at: published }) => {
      const day = published === null ? '' : `, ${published.slice(0, 10)}`;
      return `[^${n}]: [${escaped(title ?? url)}](<${address(url)}>)${day}`;
    })
    .join('\n');

/** A Markdown with the definitions of what it cites and does not define, for systems that have no sources. */
export function withDefinitions(content: string, sources: readonly CitedSource[] | null): string {
  const cited = (sources ?? []).filter(
    ({ n }) => content.includes(`[^${n}]`) && !content.includes(`[^${n}]:`),
  );
  return cited.length === 0 ? content : `${content.trimEnd()}\n\n${definitionsOf(cited)}\n`;
}

/** Every punctuation mark may be escaped. */
const escaped = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);

/** Without what would end an address or mean something else in it. */
const address = (url: string): string =>
  (URL.parse(url)?.href ?? '').replaceAll(/[\\<>]/g, encodeURIComponent).replaceAll('&', '&amp;');
