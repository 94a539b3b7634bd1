import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds on the page as it is now. @param runOnly tags or rules; all rules by default */
export async function axeViolations(page: Page, runOnly?: readonly string[]): Promise<axe.Result[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  return (await page.evaluate<axe.AxeResults>(`axe.run(${options})`)).violations;
}
