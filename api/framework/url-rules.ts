import { validationFailed } from '../../domain/kernel/errors.ts';
import type { FieldMessages } from '../../packages/base/mistakes.ts';
import type { Site } from '../../domain/kernel/site.ts';
import { checkSavedUrl, examineSavedUrl } from '../../adapters/http/saved-url.ts';
import type { TargetCheck } from '../../adapters/http/target.ts';
import type { Ports } from './ports.ts';

/** Checks the URL of a webhook or a channel without a DNS look-up (docs/spec/rulings.md, 7, URL). */
export function examineUrl(
  { url }: Readonly<Record<string, unknown>>,
  { webhookUrls }: Ports,
): FieldMessages {
  if (typeof url !== 'string') return {};
  const { allowedHosts } = webhookUrls;
  const checked = examineSavedUrl(url, { allowedHosts });
  return checked.ok ? {} : { url: checked.reason };
}

/** Checks that a URL's name resolves to public addresses only; null without a URL. */
export const checkUrl = (
  url: string | undefined,
  { site, ports }: { readonly site: Pick<Site, 'id'>; readonly ports: Ports },
): Promise<TargetCheck | null> =>
  url === undefined ? Promise.resolve(null) : checkSavedUrl(url, site.id, ports.webhookUrls);

/** @throws ServiceError VALIDATION_FAILED on `url` */
export function requireAllowedUrl(check: TargetCheck | null): void {
  if (check?.ok === false) throw validationFailed({ url: check.reason });
}
