import { validationFailed } from '../../domain/errors.ts';
import type { FieldMessages } from '../../domain/errors.ts';
import { checkSavedUrl, examineSavedUrl } from '../../net/saved-url.ts';
import type { Ports } from '../ports.ts';

/** What of a webhook's address shows without looking anything up (decisions 7, URL). */
export function examineUrl(
  { url }: Readonly<Record<string, unknown>>,
  { webhookUrls }: Ports,
): FieldMessages {
  if (typeof url !== 'string') return {};
  const { allowedHosts } = webhookUrls;
  const checked = examineSavedUrl(url, { allowedHosts });
  return checked.ok ? {} : { url: checked.reason };
}

/**
 * Resolves the name, too: none of its addresses may be a private one.
 *
 * @throws ServiceError VALIDATION_FAILED on `url`
 */
export async function requirePublicUrl(url: string | undefined, { webhookUrls }: Ports): Promise<void> {
  if (url === undefined) return;
  const checked = await checkSavedUrl(url, webhookUrls);
  if (!checked.ok) throw validationFailed({ url: checked.reason });
}
