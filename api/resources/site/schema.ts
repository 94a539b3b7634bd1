import { z } from 'zod';
import { aiDisclosures } from '../../../domain/kernel/origins.ts';
import { isLocale } from '../../../domain/organisations/locales.ts';
import { isTimezone, timezoneHint } from '../../../domain/organisations/timezones.ts';
import { pageKinds } from '../../../domain/purge/public-urls.ts';
import { feedContents } from '../../../domain/sites/settings.ts';
import { isWebUrl } from '../../../packages/base/url-form.ts';
import { isoTime, text } from '../../../packages/base/fields.ts';
import { siteExample, siteWriteExample } from './examples.ts';

const PATH_LENGTH = 500;
const forEachKind = <S extends z.ZodType>(path: S) =>
  z.strictObject(
    Object.fromEntries(pageKinds.map((kind) => [kind, path])) as Record<(typeof pageKinds)[number], S>,
  );

/** Why a text cannot be the path of a kind of page, or null if it can (docs/spec/rulings.md, 14 and 20). */
function mistakeInPath(path: string): string | null {
  if (!path.startsWith('/')) return 'must begin with /, such as /blog/{slug}';
  const parts = path.split('{slug}');
  if (parts.length !== 2) return 'must contain {slug} once, such as /blog/{slug}';
  if (/[?#]/.test(path)) return 'must be a path: without ? and #';
  if (/[\s\p{Cc}]/u.test(path)) return 'must not contain white space or control characters';
  if (path.includes('//')) return 'must not contain //';
  if (path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    return 'must not contain . or .. as a part of the path';
  if (!isDecodable(path)) return 'must contain % only in percent-encoded characters, such as %C3%BC';
  return isWebUrl(`https://x${parts.join('x')}`)
    ? null
    : 'must not contain backslashes or any of <>"^`{|}, except in {slug}';
}

/** Whether a path consists of UTF-8 once it is decoded. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Why a text cannot be the template of preview addresses, or null if it can. */
function mistakeInTemplate(template: string): string | null {
  if (!template.includes('{token}'))
    return 'must contain {token}, such as https://blog.example.com/drafts/{slug}?token={token}';
  const filled = template.replaceAll('{token}', 'x').replaceAll('{slug}', 'x');
  if (!/^https:/i.test(filled) || !isWebUrl(filled))
    return 'must be an https URL with {token} and perhaps {slug}, and without white space, backslashes or any other of <>"^`{|}';
  if (/^https:\/\/[^/?#]*[{@]/i.test(template))
    return 'must have a host without a user name, {token} and {slug}';
  return null;
}

/** A text without the mistake that a function finds, if it is not longer than `maximum`. */
const flawless = (maximum: number, mistakeIn: (value: string) => string | null) =>
  text(maximum).superRefine((value, context) => {
    const message = value.length > 2 * maximum ? null : mistakeIn(value);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

const locale = flawless(100, (value) =>
  isLocale(value) ? null : 'must be a language tag (BCP 47) such as en or de-AT',
);
const timezone = flawless(100, (value) => (isTimezone(value) ? null : `must be ${timezoneHint}`));

export const SiteWrite = z
  .strictObject({
    name: text(200, 1).optional(),
    locale: locale.optional().meta({ description: 'The language of the blog, as a language tag (BCP 47).' }),
    timezone: timezone.optional().meta({
      description:
        'A name of the IANA time zone database, such as Europe/London; no abbreviation. Instants that are already scheduled stay.',
    }),
    url_paths: forEachKind(flawless(PATH_LENGTH, mistakeInPath))
      .meta({ id: 'SiteUrlPathsWrite' })
      .optional()
      .meta({
        description:
          'The paths of the pages of the blog, all four. Each begins with `/`, contains `{slug}` once, and has no `?`, `#`, white space, control characters, `//`, `.` or `..` as a part, and no `%` but in percent-encoded characters. In addresses, letters that are not ASCII are percent-encoded.',
      }),
    preview_url: flawless(2_000, mistakeInTemplate).nullable().optional().meta({
      description:
        'An https template for the addresses of preview links, with `{token}` and perhaps `{slug}`; null for the page of the service.',
    }),
    feed_content: z
      .enum(feedContents)
      .optional()
      .meta({ description: 'Whether feeds contain whole articles.' }),
    required_reviews: z
      .int()
      .min(0, { error: 'must be at least 0' })
      .max(2, { error: 'must be at most 2' })
      .optional()
      .meta({
        description:
          'How many people, each other than whoever wrote the text, have to approve it before it is published or scheduled. A published or scheduled article is then edited by its pending edit, or after its schedule is cancelled. What is scheduled already stays.',
      }),
    ai_disclosure: z.enum(aiDisclosures).optional().meta({
      description:
        'Whether JSON-LD, feeds and `content_html` say `digitalSourceType`, in the terms of the IPTC, of articles whose `origin` is not `person`.',
    }),
    max_unsupported_claims: z
      .int()
      .min(0, { error: 'must be at least 0' })
      .max(100, { error: 'must be at most 100' })
      .nullable()
      .optional()
      .meta({
        description:
          'How many percent of the claims of a text may be without a source: with more, the stage improve makes an article `needs_improvement`. Null for any.',
      }),
  })
  .meta({ id: 'SiteWrite', examples: [siteWriteExample] });

export const SiteShape = z
  .strictObject({
    name: z.string(),
    domain: z.string(),
    locale: z.string(),
    timezone: z.string(),
    url_paths: forEachKind(z.string()).meta({ id: 'SiteUrlPaths' }),
    preview_url: z.string().nullable(),
    feed_content: z.enum(feedContents),
    required_reviews: z.number(),
    ai_disclosure: z.enum(aiDisclosures),
    max_unsupported_claims: z.number().nullable(),
    public_base_url: z
      .url()
      .meta({ description: 'Where the feeds, the sitemap and the other public files are.' }),
    created_at: isoTime,
  })
  .meta({ id: 'Site', examples: [siteExample] });
