/** Characters that RFC 3986 does not allow: control characters, white space, backslashes and other delimiters. */
const foreign = /[\p{Cc}\s<>"\\^`{|}]/u;

const beginning = /^https?:\/\/[^/?#]/i;

/** The required form, in words. */
export const WEB_URL_FORM =
  'with two slashes and a host after the colon, and without spaces, control characters, backslashes or any of <>"^`{|}, such as https://example.com/a%20b';

/**
 * Whether a text is an absolute http(s) URL by RFC 3986. The WHATWG parser alone would silently repair white space,
 * control characters, backslashes, and missing or extra slashes. Letters of every script are allowed (RFC 3987).
 */
export const isWebUrl = (text: string): boolean =>
  beginning.test(text) && !foreign.test(text) && URL.canParse(text);
