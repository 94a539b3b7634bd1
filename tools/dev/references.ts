import { basename, dirname, join, normalize } from 'node:path/posix';

/** The number of references, and the broken ones, each as `file: reference`. */
export interface References {
  readonly followed: number;
  readonly broken: readonly string[];
}

/** An old form of citation without a file. */
const NAMELESS = /\bdecisions \d{1,2}\b|\((?:specification)\b/gi;
const CITATION =
  /\b(docs\/(?:[\w-]+\/)?[\w-]+\.md)(?:#([\w-]+)|(?<=docs\/spec\/[\w-]+\.md), ([^()[\];]{1,90}))?/g;
const DECISION = /(?:docs\/decisions\/|\bADR )(\d{4}(?:, \d{4})*)/g;
/** The document of a folder, cited in a comment. */
const README = /\b((?:[\w-]+\/)+README\.md)\b/g;
const LINK = /\]\(([^)\s]+)\)/g;
const SCHEME = /^[a-z]+:/;
const IN_BACKTICKS = /`([\w.-]+(?:\/[\w.-]+)*\/?)`/g;
/** A file in a folder, a file of code by its name alone, a folder. */
const PATH = /\/.*\.(?:ts|md|sql|sh|json|yml)$|^[\w-][\w.-]*\.(?:ts|sql|sh)$|\/$/;
/** In a data folder or a bucket, not in the repository. */
const ELSEWHERE = /^(?:\.presswork|\.cache|node_modules|postgres|s3|logs|public|uploads)\//;

const isDocument = (path: string): boolean => path.endsWith('.md');

/** A comment as one line, because a reference may continue on the next line. */
const unwrapped = (text: string): string => text.replaceAll(/\n\s*(?:\*(?!\/)|\/\/|--|#)?\s*/g, ' ');

/** A document without its code blocks. */
const prose = (text: string): string => text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');

const headings = (text: string): readonly string[] =>
  [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title.trim());

/** The anchors that GitHub gives to the headings of a document. */
function anchors(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const title of headings(text)) {
    const name = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-');
    let anchor = name;
    for (let n = 1; found.has(anchor); n += 1) anchor = `${name}-${n}`;
    found.add(anchor);
  }
  return found;
}

/** Whether a citation starts with a heading's title, or with the numbers of headings; a detail may follow. */
function isSection(text: string, cited: string): boolean {
  const titles = headings(text);
  const numbers = /^(\d+)(?: and (\d+))?(?![\w ])/.exec(cited)?.slice(1).filter(Boolean);
  if (numbers) return numbers.every((number) => titles.some((title) => title.startsWith(`${number}. `)));
  return titles.some((title) => cited.startsWith(title) && /^(?:[,.:]|$)/.test(cited.slice(title.length)));
}

/**
 * Checks references between files: citations of the contract and of decisions in all files, and links and paths in
 * backticks in documents.
 *
 * @param files the text of each file of the repository, by its path; empty if it is not text
 */
export function followReferences(files: ReadonlyMap<string, string>): References {
  const places = new Set<string>();
  for (const path of files.keys()) {
    for (let place = path; place !== '.'; place = dirname(place)) places.add(place);
  }
  const names = new Set([...places].map((place) => basename(place)));
  const exists = (path: string): boolean => places.has(normalize(path).replace(/\/$/, ''));
  const decisions = new Set([...files.keys()].map((path) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1]));
  const broken: string[] = [];
  let followed = 0;
  const follow = (file: string, reference: string, leads: boolean): void => {
    followed += 1;
    if (!leads) broken.push(`${file}: ${reference}`);
  };

  for (const [file, text] of files) {
    const line = unwrapped(text);
    for (const [nameless] of line.matchAll(NAMELESS)) broken.push(`${file}: ${nameless} names no file`);
    for (const [cited, path = '', anchor, section] of line.matchAll(CITATION)) {
      if (path.includes('NNNN')) continue;
      const target = files.get(path) ?? '';
      const isThere = anchor === undefined || anchors(target).has(anchor);
      follow(
        file,
        cited,
        target !== '' && isThere && (section === undefined || isSection(target, section.trim())),
      );
    }
    for (const [cited, numbers = ''] of line.matchAll(DECISION)) {
      follow(
        file,
        cited,
        numbers.split(', ').every((number) => decisions.has(number)),
      );
    }
    if (!isDocument(file)) {
      for (const [, path = ''] of line.matchAll(README)) follow(file, path, exists(path));
      continue;
    }

    for (const [, link = ''] of prose(text)
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(LINK)) {
      if (SCHEME.test(link)) continue;
      const [path = '', anchor] = link.split('#', 2);
      const target = path === '' ? file : normalize(join(dirname(file), path));
      const leads = anchor === undefined || anchors(files.get(target) ?? '').has(anchor);
      follow(file, link, exists(target) && leads);
    }
    for (const [, path = ''] of prose(text).matchAll(IN_BACKTICKS)) {
      const isPath = PATH.test(path) || (path.includes('/') && places.has(path.split('/', 1)[0] ?? ''));
      if (!isPath || ELSEWHERE.test(path) || path.includes('NNNN')) continue;
      const isName = !path.slice(0, -1).includes('/');
      const leads = exists(path) || exists(join(dirname(file), path));
      follow(file, path, leads || (isName && names.has(basename(path))));
    }
  }
  return { followed, broken };
}
