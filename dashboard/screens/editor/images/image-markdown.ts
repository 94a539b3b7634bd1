/** An image in Markdown; the description is one line, and stays text. */
export const imageMarkdown = (description: string, url: string): string =>
  `![${description.replaceAll(/\s+/g, ' ').replaceAll(/[\\[\]]/g, '\\$&')}](<${url}>)`.replace(
    /\(<([^\s()<>]*)>\)$/,
    '($1)',
  );
