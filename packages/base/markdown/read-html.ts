import { fromParse5 } from 'hast-util-from-parse5';
import { defaultTreeAdapter, parseFragment } from 'parse5';
import { tooDeep, tooMuch } from './bounds.ts';

export type Tree = ReturnType<typeof fromParse5>;

/** As deep as browsers nest elements. */
const DEPTH = 512;
/** A table of one-digit numbers has 225,000 cells. Elements that overlap are repeated in each paragraph. */
const ELEMENTS = 500_000;

/**
 * Reads HTML as a browser does.
 *
 * @throws ContentRefused
 */
export function readHtml(html: string): Tree {
  let depth = 0;
  let elements = 0;
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement(...args) {
      if ((elements += 1) > ELEMENTS) throw tooMuch();
      return defaultTreeAdapter.createElement(...args);
    },
    onItemPush() {
      if ((depth += 1) > DEPTH) throw tooDeep();
    },
    onItemPop() {
      depth -= 1;
    },
  };
  return fromParse5(parseFragment(html, { scriptingEnabled: false, treeAdapter }));
}
