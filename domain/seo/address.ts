/** Characters that mean the same encoded and plain (RFC 3986, 2.3). */
const unreserved = /[A-Za-z\d\-._~]/;

/** One form for the same octets: unreserved characters plain, and the digits of the others in upper case. */
export const normalOctets = (text: string): string =>
  text.replace(/%([\da-f]{2})/gi, (octet, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return unreserved.test(character) ? character : octet.toUpperCase();
  });

/** One form for each page, however its address is written: without a fragment, which names a part of it. */
export function pageAddress(url: URL): string {
  const bare = new URL(url);
  bare.hash = '';
  return normalOctets(bare.href);
}
