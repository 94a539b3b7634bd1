import { RESULTS } from './provider.ts';
import { researchProviders } from './providers.ts';
import type { ResearchProviderName } from './providers.ts';

const URL_LENGTH = 2_000;

/**
 * Reads the pages that a search has found, each once, best first. The time depends on the answer, so call it in a helper
 * process.
 *
 * @returns null for what the provider does not send
 */
export function readResults({
  provider,
  body,
}: {
  readonly provider: ResearchProviderName;
  readonly body: Uint8Array;
}): readonly string[] | null {
  try {
    const found = researchProviders[provider].read(JSON.parse(new TextDecoder().decode(body)));
    return [...new Set(found.flatMap((url) => asPage(url) ?? []))].slice(0, RESULTS);
  } catch {
    return null;
  }
}

/** An address of a page without its fragment; null for everything else. */
export function asPage(address: string): string | null {
  const url = address.length <= URL_LENGTH ? URL.parse(address) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username || url.password)
    return null;
  url.hash = '';
  return url.href.length <= URL_LENGTH ? url.href : null;
}
