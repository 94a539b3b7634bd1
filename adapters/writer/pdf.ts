/** Pages that are read; a source is cut at its length long before, unless it is hostile. */
const PAGES = 100;

/**
 * The title of a PDF, and its text, page by page.
 *
 * @param length characters after which no further page is read
 * @returns null if it cannot be read, such as one that asks for a password
 */
export async function readPdf(
  bytes: Uint8Array,
  length: number,
): Promise<{ text: string; title: string | null } | null> {
  const { getDocumentProxy } = await import('unpdf');
  try {
    // The parser takes the bytes for its own.
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { stopAtErrors: false });
    let text = '';
    for (let number = 1; number <= Math.min(pdf.numPages, PAGES) && text.length < length; number += 1) {
      const { items } = await (await pdf.getPage(number)).getTextContent();
      for (const item of items) if ('str' in item) text += item.str + (item.hasEOL ? '\n' : '');
      text += '\n\n';
    }
    const { Title: title } = (await pdf.getMetadata()).info as { Title?: unknown };
    await pdf.destroy();
    return { text, title: typeof title === 'string' ? title : null };
  } catch {
    // A PDF is untrusted, and its parser fails in many ways.
    return null;
  }
}
