/** The values of the variables in the texts of SEO plugins. */
export interface SeoWords {
  readonly title: string;
  readonly site: string;
  readonly excerpt: string;
  readonly category: string;
}

export interface Seo {
  readonly title: string;
  readonly description: string;
  /** Unknown variables; texts that contain one are left out. */
  readonly unknown: readonly string[];
}

const TITLES = [
  '_yoast_wpseo_title',
  'rank_math_title',
  '_aioseo_title',
  '_aioseop_title',
  '_seopress_titles_title',
];
const DESCRIPTIONS = [
  '_yoast_wpseo_metadesc',
  'rank_math_description',
  '_aioseo_description',
  '_aioseop_description',
  '_seopress_titles_desc',
];

/** `%%title%%` (Yoast, SEOPress), `%title%` (Rank Math), `#post_title` (All in One SEO). */
const variable = /%%(\w+)%%|%(\w+)%|#((?:post|site|separator|author|category|current)_\w+)/g;

/** The SEO title and description of any supported plugin, with variables replaced. */
export function seoOf(meta: ReadonlyMap<string, string>, words: SeoWords): Seo {
  const unknown: string[] = [];
  const read = (names: readonly string[]): string => {
    const pattern =
      names.map((name) => meta.get(name)).find((value) => value !== undefined && value !== '') ?? '';
    let complete = true;
    const text = pattern.replaceAll(variable, (_, yoast?: string, rank?: string, aio?: string) => {
      const name = yoast ?? rank ?? aio ?? '';
      const value = valueOf(name, words);
      if (value !== null) return value;
      complete = false;
      unknown.push(name);
      return '';
    });
    return complete ? text.replaceAll(/\s+/g, ' ').trim() : '';
  };
  return { title: read(TITLES), description: read(DESCRIPTIONS), unknown };
}

function valueOf(name: string, words: SeoWords): string | null {
  switch (name) {
    case 'title':
    case 'post_title':
      return words.title;
    case 'sitename':
    case 'site_title':
    case 'sitetitle':
      return words.site;
    case 'sep':
    case 'separator_sa':
      return '-';
    case 'page':
    case 'pagenumber':
    case 'pagetotal':
      return '';
    case 'excerpt':
    case 'excerpt_only':
    case 'post_excerpt':
      return words.excerpt;
    case 'category':
    case 'primary_category':
    case 'category_title':
      return words.category;
    default:
      return null;
  }
}
