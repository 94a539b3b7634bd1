import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../support/command.ts';

export interface Conversion {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The file, if there is one. */
  readonly file: any;
}

export async function convert(...args: readonly string[]): Promise<Conversion> {
  const { json: file, ...run } = await runCommand(['convert', ...args]);
  return { ...run, file };
}

export const sample = (name: string): string => `test/packages/importer/convert/samples/${name}`;

/** A folder for exports that a test writes; deleted at the end. */
export function exportsFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'presswork-convert-'));
  return {
    write(name: string, content: string | Buffer): string {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** An export of WordPress with these items. */
export const wxr = (items: string, channel = ''): string => `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0"><channel><title>Blog</title><link>https://blog.example.com</link>
<wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://blog.example.com</wp:base_blog_url>
${channel}${items}
</channel></rss>
`;

/** A post as WordPress exports it; by default a published one. */
export function wxrPost(given: Readonly<Record<string, string>> & { readonly more?: string } = {}): string {
  const { more = '', ...members } = given;
  const all: Record<string, string> = {
    title: 'A post',
    link: 'https://blog.example.com/a-post/',
    'dc:creator': 'ann',
    'content:encoded': 'Some text',
    'wp:post_id': '1',
    'wp:post_date_gmt': '2020-01-01 10:00:00',
    'wp:post_name': 'a-post',
    'wp:status': 'publish',
    'wp:post_type': 'post',
    ...members,
  };
  const elements = Object.entries(all).map(
    ([name, value]) => `<${name}><![CDATA[${value.replaceAll(']]>', ']]]]><![CDATA[>')}]]></${name}>`,
  );
  return `<item>${elements.join('')}${more}</item>`;
}

/** A custom field of a post. */
export function wxrMeta(key: string, value: string): string {
  return `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`;
}

/** An export of Ghost with these tables. */
export const ghostExport = (data: object): string =>
  JSON.stringify({ db: [{ meta: { version: '5.118.0' }, data: { posts: [], ...data } }] });

export const ghostPost = (given: object = {}) => ({
  id: '65a000000000000000000001',
  uuid: '00000000-0000-4000-8000-000000000001',
  title: 'A post',
  slug: 'a-post',
  html: '<p>Some text</p>',
  type: 'post',
  status: 'published',
  visibility: 'public',
  published_at: '2020-01-01T10:00:00.000Z',
  updated_at: '2020-01-01T10:00:00.000Z',
  ...given,
});
