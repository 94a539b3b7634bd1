/** A host from its end, with a dot after each label: a domain is the beginning of its subdomains, and of no other host. */
export const reversedHost = (hostname: string): string =>
  `${hostname.replace(/\.$/, '').split('.').toReversed().join('.')}.`;
