/** Hosts that the operator exempts from the scheme and address rules, as normalised `host:port`. */
export type AllowedHosts = ReadonlySet<string>;

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/** Removes the trailing dots of a host: `example.test.` and `example.test` are the same. */
export function withoutRootDots(hostname: string): string {
  return hostname.replace(/\.+$/, '');
}

/**
 * Reads a comma-separated list of `host:port`, as in `WEBHOOK_ALLOWED_HOSTS` (docs/spec/rulings.md, 7). Hosts are
 * normalised like those of URLs: upper case, IPv4 in any base, IPv6 in any spelling (in brackets), international names.
 *
 * @throws Error naming the entry that is not `host:port`
 */
export function parseAllowedHosts(list: string): AllowedHosts {
  const entries = list.split(',').map((entry) => entry.trim());
  return new Set(entries.filter((entry) => entry !== '').map(normalise));
}

/** Whether the URL's host and port (by default the scheme's) are on the list. */
export function isAllowedHost(url: URL, allowed: AllowedHosts): boolean {
  if (allowed.size === 0) return false;
  return allowed.has(`${withoutRootDots(url.hostname)}:${url.port || DEFAULT_PORTS[url.protocol]}`);
}

function normalise(entry: string): string {
  const [, host, digits] = /^(\[[0-9a-f:.]+\]|[^\s:/?#@\\[\]]+):(\d{1,5})$/i.exec(entry) ?? [];
  const port = Number(digits);
  if (host === undefined || !URL.canParse(`https://${host}`) || port < 1 || port > 65_535) {
    throw new Error(`"${entry}" is not host:port, such as 127.0.0.1:8080, [::1]:8080 or receiver.test:443`);
  }
  return `${withoutRootDots(new URL(`https://${host}`).hostname)}:${port}`;
}
