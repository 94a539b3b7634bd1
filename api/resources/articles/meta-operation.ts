import { z } from 'zod';
import { presentMeta, readMetaSource } from '../../../domain/articles/meta.ts';
import { operation } from '../../framework/operation.ts';
import { bodyOf } from '../../framework/reply.ts';
import { metaExample } from './meta-example.ts';

const tags = z.record(z.string(), z.string());

const ArticleMeta = z
  .strictObject({
    title: z.string().nullable().meta({ description: '`seo_title`, or else `title`.' }),
    description: z.string().nullable().meta({ description: '`seo_description`, or else `excerpt`.' }),
    canonical_url: z.string().nullable().meta({ description: 'null without a slug.' }),
    open_graph: tags.meta({ description: 'The content of `<meta property>` elements, by property.' }),
    twitter: tags.meta({ description: 'The content of `<meta name>` elements, by name.' }),
    json_ld: z.array(z.record(z.string(), z.unknown())).meta({
      description:
        'schema.org: Article, BreadcrumbList, FAQPage and HowTo, each if the article has what it needs.',
    }),
  })
  .meta({ id: 'ArticleMeta', examples: [metaExample] });

/** Can stand in a script element of a page as it is: it closes none (docs/spec/rulings.md, 20). */
const inScript = (json: string): string => json.replaceAll('<', String.raw`\u003c`);

export const metaOperation = operation({
  id: 'getArticleMeta',
  method: 'GET',
  path: '/articles/:id/meta',
  summary: 'Read the metadata of the page of an article',
  description:
    'Title, description, Open Graph, Twitter card and JSON-LD, ready to be printed into the page. Every `<` is written as `\\u003c`, so that the answer can stand in a script element. For a publishable key, an article that is not published is 404.',
  access: { scope: 'articles:read', permission: 'articles.read', rateClass: 'read', publishable: true },
  answers: { 200: ArticleMeta },
  async handle({ db, site, caller, params }) {
    const source = await readMetaSource(db, site.id, params.id, caller.kind === 'publishable');
    const data = presentMeta(source);
    return { status: 200, data, json: inScript(bodyOf(data)) };
  },
});
