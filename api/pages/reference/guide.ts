import { readFileSync } from 'node:fs';
import { groupAddress, guideAddress } from './addresses.ts';
import type { Described } from './described.ts';
import { readMarkdown } from './markdown.ts';
import type { Document } from './markdown.ts';
import { tables } from './tables.ts';

export interface GuidePage {
  /** In its address. */
  readonly name: string;
  readonly title: string;
  /** Markdown. */
  readonly source: string;
}

const page = (name: string, file: URL): GuidePage => {
  const source = readFileSync(file, 'utf8');
  return { name, title: /^# (.+)$/m.exec(source)?.[1] ?? '', source };
};

/** The pages of the guide, in order. */
export const guide: readonly GuidePage[] = [
  page('authentication', new URL('guide/authentication.md', import.meta.url)),
  page('errors', new URL('guide/errors.md', import.meta.url)),
  page('lists', new URL('guide/lists.md', import.meta.url)),
  page('idempotency', new URL('guide/idempotency.md', import.meta.url)),
  page('versions', new URL('guide/versions.md', import.meta.url)),
  page('limits', new URL('guide/limits.md', import.meta.url)),
  page('bulk', new URL('guide/bulk.md', import.meta.url)),
  page('billing', new URL('guide/billing.md', import.meta.url)),
  page('scans', new URL('guide/scans.md', import.meta.url)),
  page('backlinks', new URL('guide/backlinks.md', import.meta.url)),
  page('content-plan', new URL('guide/content-plan.md', import.meta.url)),
  page('pipeline', new URL('guide/pipeline.md', import.meta.url)),
  page('prompts', new URL('guide/prompts.md', import.meta.url)),
  page('sources', new URL('guide/sources.md', import.meta.url)),
  page('previews', new URL('guide/previews.md', import.meta.url)),
  page('reviews', new URL('guide/reviews.md', import.meta.url)),
  page('public-files', new URL('guide/public-files.md', import.meta.url)),
  page('webhooks', new URL('guide/webhooks.md', import.meta.url)),
  page('notifications', new URL('guide/notifications.md', import.meta.url)),
  page('agents', new URL('guide/agents.md', import.meta.url)),
  page('device-sign-in', new URL('guide/device-sign-in.md', import.meta.url)),
  page('compatibility', new URL('guide/compatibility.md', import.meta.url)),
];

/** The first page. */
export const start: GuidePage = page('start', new URL('guide/start.md', import.meta.url));

/**
 * Links go to other pages of the guide by their file, and to operations by `op:<id>`. `{base_url}` is the base URL.
 *
 * @throws Error for a link to nothing
 */
export const readGuidePage = ({ source }: GuidePage, described: Described): Document =>
  readMarkdown(source.replaceAll('{base_url}', described.baseUrl), {
    link: (target) => addressOf(target, described),
    insert: (name) => {
      const insert = tables[name];
      if (insert === undefined) throw new Error(`${name} is no table`);
      return insert(described);
    },
  });

function addressOf(target: string, { operations }: Described): string {
  if (/^(?:https:|#|\/)/.test(target)) return target;
  const operation = operations.find(({ id }) => `op:${id}` === target);
  if (operation !== undefined) return groupAddress(operation.group, operation.id);
  const [, name = '', section] = /^([\w-]+)\.md(?:#(.+))?$/.exec(target) ?? [];
  if (!guide.some((other) => other.name === name)) throw new Error(`${target} is no page and no operation`);
  return guideAddress(name, section);
}
