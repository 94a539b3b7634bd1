/** What RFC 3986 has no place for: control characters, white space, backslashes and other delimiters. */
const foreign = /[\p{Cc}\s<>"\\^`{|}]/u;

const beginning = /^https?:\/\/[^/?#]/i;

/** The form, for a person. */
export const WEB_URL_FORM =
  'with two slashes and a host after the colon, and without spaces, control characters, backslashes or any of <>"^`{|}, such as https://example.com/a%20b';

/**
 * Whether a text is an absolute http(s) URL as RFC 3986 writes it. The WHATWG parser alone would forgive what it
 * repairs: white space and control characters, backslashes, missing or surplus slashes. Letters of every script pass,
 * as people send them (RFC 3987).
 */
export const isWebUrl = (text: string): boolean =>
  beginning.test(text) && !foreign.test(text) && URL.canParse(text);
