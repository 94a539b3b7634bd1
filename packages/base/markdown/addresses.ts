import type { MarkdownIt } from 'markdown-it';

/** Links the addresses that GFM links: `http://`, `https://`, `www.` and e-mail, but not `ftp:` or `//`. */
export function linkAddresses({ linkify }: MarkdownIt): void {
  linkify.add('ftp:', null).add('//', null);
  linkify.add('www.', {
    validate(text, pos, { re }) {
      www ??= new RegExp(`${re.get_url_host_port().source}${re.get_path().source}`, 'iy');
      www.lastIndex = pos;
      return www.exec(text)?.[0].length ?? 0;
    },
    normalize(match) {
      match.url = `http://${match.url}`;
    },
  });
}

/** The rest after `www.`. */
let www: RegExp | undefined;
