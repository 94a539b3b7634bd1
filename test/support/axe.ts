import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds on the page as it is now, outside frames. @param runOnly tags or rules; all rules by default */
export async function axeViolations(page: Page, runOnly?: readonly string[]): Promise<axe.Result[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  // Nothing runs in the frame of the preview, so that axe would wait for its answer.
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], iframes: false });
  return (await page.evaluate<axe.AxeResults>(`axe.run(${options})`)).violations;
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What depends on the colours. */
const colourRules = ['color-contrast', 'link-in-text-block'];

const colorSchemes = ['light', 'dark'] as const;
export type ColorScheme = (typeof colorSchemes)[number];

/** What axe finds on the page as it is now: everything in the first colour scheme, and in another what depends on it. */
export async function axeFindings(
  page: Page,
  schemes: readonly ColorScheme[] = colorSchemes,
): Promise<string[]> {
  const found: string[] = [];
  for (const [index, colorScheme] of schemes.entries()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // The colours change with the next frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    for (const { id, nodes } of await axeViolations(page, index === 0 ? tags : colourRules))
      found.push(
        ...nodes.map(({ html, failureSummary }) => `${colorScheme}: ${id}: ${html}: ${failureSummary}`),
      );
  }
  return found;
}
