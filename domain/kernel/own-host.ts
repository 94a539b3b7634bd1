/**
 * Whether a host belongs to a Site.
 *
 * @param host as URLs have it @param domain as people write it: in any case and script, also with a port
 */
export function isOwnHost(host: string, domain: string): boolean {
  const own = new URL(`https://${domain}`).hostname.replace(/^www\./, '');
  return host === own || host.endsWith(`.${own}`);
}
