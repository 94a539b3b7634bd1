import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { array, sql } from '../../db/sql.ts';
import { publicUrl, urlPathsRow } from '../purge/public-urls.ts';
import { nearestArticles } from '../search/nearest.ts';
import { readVoice } from '../voice/voice.ts';
import type { Voice } from '../voice/voice.ts';
import type { AboutSite } from './template.ts';

/** The topic of an article. */
export interface Subject {
  readonly title: string;
  readonly keywords: readonly string[];
  readonly notes: string | null;
  readonly sources: readonly BriefSource[];
}

/** A source of the article, with what was read of it. */
export interface BriefSource {
  /** The number by which the text cites it. */
  readonly n: number;
  readonly url: string;
  readonly title: string | null;
  readonly published_at: string | null;
  /** Null if it was not read. */
  readonly text: string | null;
}

/** The most bytes of each value; what is longer ends at a line before that. */
const BYTES = {
  site: 2_000,
  voice: 20_000,
  notes: 20_000,
  related: 20_000,
  terms: 8_000,
  sources: 80_000,
} as const;
const RELATED = sql.fragment`20`;
/** The most categories and tags that are read, each; the beginning of a sample, in characters. */
const TERMS = sql.fragment`500`;
const SAMPLE = sql.fragment`2000`;

const siteRow = z.object({
  name: z.string(),
  domain: z.string(),
  locale: z.string(),
  url_paths: urlPathsRow,
  today: z.string(),
  categories: z.array(z.string()),
  tags: z.array(z.string()),
});

const relatedRow = z.object({
  title: z.string().nullable(),
  slug: z.string(),
  excerpt: z.string().nullable(),
});

const sampleRow = z.object({ title: z.string().nullable(), beginning: z.string() });

/** @returns the values of the placeholders, and the locale of the Site */
export async function readAboutSite(
  db: Queryable,
  siteId: string,
  subject: Subject,
  now: Date,
): Promise<{ readonly about: AboutSite; readonly locale: string }> {
  const [site, voice, related] = await Promise.all([
    db.one(sql.type(siteRow)`
      select name, domain, locale, url_paths,
        to_char(${now.toISOString()}::timestamptz at time zone timezone, 'YYYY-MM-DD') as today,
        array(select name from categories where site_id = s.id order by name limit ${TERMS}) as categories,
        array(select name from tags where site_id = s.id order by name limit ${TERMS}) as tags
      from sites s where id = ${siteId}`),
    readVoice(db, siteId),
    db.any(sql.type(relatedRow)`
      select a.title, a.slug, left(a.excerpt, 500) as excerpt
      from (${nearestArticles(siteId, [subject.title, ...subject.keywords].join(' '))}) n join articles a on a.id = n.id
      where a.site_id = ${siteId} and a.status = 'published' and a.slug is not null
      order by n.weight desc, a.id desc limit ${RELATED}`),
  ]);
  const samples = await readSamples(db, siteId, voice.sample_article_ids);
  const about: AboutSite = {
    site: bounded(`Name: ${site.name}\nDomain: ${site.domain}\nLocale: ${site.locale}`, BYTES.site),
    voice: bounded(textOfVoice(voice, samples), BYTES.voice),
    notes: bounded(subject.notes ?? '', BYTES.notes),
    related: bounded(
      related
        .map(
          ({ title, slug, excerpt }) =>
            `- ${oneLine(title)}: ${publicUrl(site, 'article', slug)}${excerpt ? `\n  ${oneLine(excerpt)}` : ''}`,
        )
        .join('\n'),
      BYTES.related,
    ),
    terms: bounded(
      [listed('Categories', site.categories), listed('Tags', site.tags)].filter(Boolean).join('\n'),
      BYTES.terms,
    ),
    sources: textOfSources(subject.sources),
    date: site.today,
  };
  return { about, locale: site.locale };
}

const readSamples = (db: Queryable, siteId: string, ids: readonly string[]) =>
  db.any(sql.type(sampleRow)`
    select a.title, left(coalesce(a.content, ''), ${SAMPLE}) as beginning
    from unnest(${array(ids, 'uuid')}) with ordinality as named (id, place)
    join articles a on a.id = named.id and a.site_id = ${siteId} order by named.place`);

function textOfVoice(voice: Voice, samples: readonly z.infer<typeof sampleRow>[]): string {
  const parts = [
    voice.audience ? `Readers: ${voice.audience}` : '',
    voice.tone ? `Tone: ${voice.tone}` : '',
    lines('Do:', voice.do),
    lines('Avoid:', voice.avoid),
    lines(
      'Words:',
      voice.vocabulary.map(({ use, instead_of: others }) =>
        others.length === 0 ? use : `${use}, instead of ${others.join(', ')}`,
      ),
    ),
    ...samples.map(({ title, beginning }) => `How it sounds, from “${oneLine(title)}”:\n${beginning}`),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** Each source has an equal share. */
export function textOfSources(sources: readonly BriefSource[]): string {
  const share = Math.floor(BYTES.sources / Math.max(sources.length, 1));
  return sources
    .map(({ n, url, title, published_at: published, text }) => {
      const head = [`[^${n}]`, url, oneLine(title), published?.slice(0, 10)].filter(Boolean).join(' | ');
      return bounded(text === null ? head : `${head}\n${text}`, share);
    })
    .join('\n\n');
}

const lines = (heading: string, items: readonly string[]): string =>
  items.length === 0 ? '' : [heading, ...items.map((item) => `- ${oneLine(item)}`)].join('\n');

const listed = (heading: string, names: readonly string[]): string =>
  names.length === 0 ? '' : `${heading}: ${names.map(oneLine).join(', ')}`;

const oneLine = (text: string | null): string => (text ?? '').replaceAll(/\s+/g, ' ').trim();

/** The beginning of a text with at most so many bytes, up to the end of a line or of a word, if there is one. */
function bounded(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return text;
  // An incomplete character at the end is left out.
  const begun = new TextDecoder().decode(whole.subarray(0, bytes), { stream: true });
  return begun.slice(0, Math.max(begun.lastIndexOf('\n'), begun.lastIndexOf(' '), 0) || undefined).trimEnd();
}
