import { PressworkError } from '../../sdk/src/index.ts';
import { proofQuestion } from './question.ts';

/** Requests that were refused because the person has to prove again who they are. */
const refused = new Set<string | null>();

/** Remembers an answer that asks for a proof: the error that the client makes of it does not say so. */
export function noteRefusal({ headers }: Response): void {
  if (headers.get('presswork-proof') === 'required') refused.add(headers.get('request-id'));
}

/** Sends a request, and again once the person has proved who they are, if it takes that. */
export async function proving<Output>(send: () => PromiseLike<Output>): Promise<Output> {
  try {
    return await send();
  } catch (error) {
    const takesProof = error instanceof PressworkError && refused.delete(error.requestId ?? null);
    if (takesProof && (await proofQuestion.ask())) return await send();
    throw error;
  }
}
