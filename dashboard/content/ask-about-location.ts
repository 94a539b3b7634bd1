import { locationQuestion } from '../session/question.ts';
import { withoutLocation } from './photo-location.ts';

/** The answer, until the page is loaded again: it is for all photographs of an afternoon, not for each. */
let answered: boolean | null = null;

/** The file to upload: without the place where it was taken, if it says one and the person wants that. */
export async function offeredWithoutLocation(file: File): Promise<File> {
  const bytes = withoutLocation(new Uint8Array(await file.arrayBuffer()));
  if (bytes === null) return file;
  answered ??= await locationQuestion.ask();
  return answered ? new File([bytes], file.name, { type: file.type, lastModified: file.lastModified }) : file;
}
