import { z } from 'zod';
import { namedSources, SOURCES, TOO_MANY_SOURCES } from '../../../domain/kernel/named-sources.ts';
import { webUrl } from '../../../packages/base/fields.ts';
import { rule } from '../../../packages/base/rule.ts';

export const sourceUrls = z
  .array(webUrl)
  .max(SOURCES)
  .describe(`Further pages that the pipeline takes facts from, at most ${SOURCES} together with source_url.`);

/** At most so many pages in all. */
export const fewSources = rule(
  z.looseObject({ source_url: z.string().nullish(), source_urls: z.array(z.string()) }),
  (named) =>
    namedSources(named).length > SOURCES ? [{ path: ['source_urls'], message: TOO_MANY_SOURCES }] : [],
);
