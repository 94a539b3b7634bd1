import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown';
import { LanguageSupport } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightSpecialChars,
  keymap,
  placeholder,
} from '@codemirror/view';
import type { KeyBinding } from '@codemirror/view';
import type { Language } from '../../../text/language.ts';
import { lineDirections } from './line-directions.ts';
import { lint } from './lint.ts';
import { look } from './look.ts';
import { marks } from './marks.ts';
import { phrasesIn } from './phrases.ts';
import type { TextProblem } from './problems.ts';

export interface EditorTexts {
  readonly label: string;
  readonly placeholder: string;
  readonly problems: Readonly<Record<TextProblem['kind'], string>>;
}

/** A Markdown editor that changes no byte that a person does not. Tab leaves it, so that nobody is caught in it. */
export const extensionsFor = (language: Language, texts: EditorTexts, mayWrite: boolean): Extension => [
  EditorState.readOnly.of(!mayWrite),
  history(),
  drawSelection(),
  dropCursor(),
  highlightSpecialChars(),
  EditorView.lineWrapping,
  lineDirections,
  EditorView.contentAttributes.of({
    'aria-label': texts.label,
    autocapitalize: 'sentences',
    autocorrect: 'on',
    spellcheck: 'true',
  }),
  EditorState.phrases.of(phrasesIn(language)),
  mayWrite ? placeholder(texts.placeholder) : [],
  // Without the languages that could stand in it, which are larger than everything else here.
  new LanguageSupport(markdownLanguage),
  search({ top: true }),
  highlightSelectionMatches(),
  lint(texts.problems),
  look,
  keymap.of([
    // These would write all the same.
    ...(mayWrite ? [...marks, ...markdownKeymap] : []),
    ...searchKeymap,
    ...lintKeymap,
    ...historyKeymap,
    ...withoutEnter,
    leave,
  ]),
];

/** The whole screen answers to Ctrl-Enter. */
const withoutEnter = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter');

/** Escape leaves the text for what comes next, unless it closes a panel or a selection. */
const leave: KeyBinding = {
  key: 'Escape',
  run: ({ dom }) => {
    const after = [...document.querySelectorAll<HTMLElement>('button, [href], input, [tabindex="0"]')];
    after.find((one) => dom.compareDocumentPosition(one) === Node.DOCUMENT_POSITION_FOLLOWING)?.focus();
    return true;
  },
};
