import { html } from '../../http/html.ts';
import type { Html } from '../../http/html.ts';

export interface CodeExample {
  /** Its language: `curl`, `SDK`, `Python`. */
  readonly label: string;
  readonly language: string;
  readonly code: string;
}

/** Code in one or several languages. With several, the script of the page makes tabs of them. */
export function codeExamples(examples: readonly CodeExample[]): Html {
  return html`<div class="code" ${examples.length > 1 ? html`data-tabs` : null}>
    ${examples.map(
      ({ label, language, code }) =>
        html`<div class="sample" data-label="${label}">
          <p class="label">${label}</p>
          <pre tabindex="0" role="group" aria-label="${label}"><code>${highlight(code, language)}</code></pre>
        </div>`,
    )}
  </div>`;
}

export const jsonExample = (label: string, value: unknown): CodeExample => ({
  label,
  language: 'json',
  code: JSON.stringify(value, null, 2),
});

const string = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const script = String.raw`(?<comment>\/\/.*)|(?<string>${string}|${'`'}(?:[^${'`'}\\]|\\.)*${'`'})|(?<keyword>\b(?:import|from|const|new|await|async|for|of|if|return|throw|function|catch|try|instanceof|let|while)\b)|(?<number>\b\d[\d_.]*\b)`;

/** The kinds of words of each language, as groups. */
const words: Readonly<Record<string, RegExp>> = {
  json: /(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d[\d.eE+-]*\b)|(?<keyword>\b(?:true|false|null)\b)/g,
  sh: /(?<comment>(?<=^|\s)#.*)|(?<string>"(?:[^"\\]|\\.)*"|'[^']*')|(?<variable>\$\w+|\$\([^)]*\))|(?<keyword>(?<=\s)--?[A-Za-z][\w-]*)/gm,
  ts: new RegExp(script, 'g'),
  js: new RegExp(script, 'g'),
  python: new RegExp(
    String.raw`(?<comment>#.*)|(?<string>${string})|(?<keyword>\b(?:import|from|def|return|if|for|in|not|and|or|class|assert|else)\b)|(?<number>\b\d[\d_.]*\b)`,
    'g',
  ),
  http: /(?<key>^[A-Za-z-]+(?=:))|(?<keyword>^(?:GET|POST|HTTP\/1\.1 \d+).*)/gm,
};

/** Marks strings, comments and so on. */
function highlight(code: string, language: string): Html {
  const kinds = words[language];
  if (kinds === undefined) return html`${code}`;
  const parts: Html[] = [];
  let end = 0;
  for (const match of code.matchAll(kinds)) {
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0] ?? '';
    parts.push(html`${code.slice(end, match.index)}<span class="${kind}">${match[0]}</span>`);
    end = match.index + match[0].length;
  }
  return html`${parts}${code.slice(end)}`;
}
