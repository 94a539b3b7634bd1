import { z } from 'zod';

const author = z.object({ name: z.string().optional(), url: z.url().optional(), avatar: z.url().optional() });

/** JSON Feed 1.1 (jsonfeed.org), as far as the service uses it; other members are refused. */
export const jsonFeedShape = z.strictObject({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string().min(1),
  home_page_url: z.url(),
  feed_url: z.url(),
  language: z.string(),
  items: z.array(
    z
      .strictObject({
        id: z.string().min(1),
        url: z.url(),
        title: z.string(),
        summary: z.string().optional(),
        content_text: z.string().optional(),
        content_html: z.string().optional(),
        image: z.url().optional(),
        date_published: z.iso.datetime({ offset: true }),
        date_modified: z.iso.datetime({ offset: true }),
        authors: z.array(author).min(1).optional(),
        tags: z.array(z.string()).optional(),
        _presswork: z.strictObject({ digital_source_type: z.url() }).optional(),
      })
      .refine((item) => item.content_text !== undefined || item.content_html !== undefined),
  ),
});
