import { createParser } from 'eventsource-parser';
import type { z } from 'zod';
import { draft, extraction, judgement, plan, questions, revision } from '../../../domain/pipeline/writer.ts';
import { foundClaims } from '../../../domain/pipeline/claims/claim.ts';
import { storable } from '../storable.ts';
import type { Provider, Reading } from './provider.ts';
import { providers } from './providers.ts';
import type { ProviderName } from './providers.ts';

/** The forms of answers, by the name that the model is told. */
export const forms = {
  judgement,
  questions,
  extraction,
  plan,
  article: draft,
  /** An improved article. */
  revision,
  /** A section of a long article. */
  section: draft.pick({ content: true }),
  /** What goes around the text of a long article. */
  frame: draft.omit({ content: true }),
  claims: foundClaims,
} as const;

export type FormName = keyof typeof forms;

/** A parsed answer. */
export type ReadAnswer<Name extends FormName> =
  | { readonly kind: 'no completion' }
  | { readonly kind: 'refused' }
  | (Answered & { readonly kind: 'fits'; readonly value: z.output<(typeof forms)[Name]> })
  /** `wrong` is sent back to the model, and may quote its answer. */
  | (Answered & { readonly kind: 'does not fit'; readonly wrong: string });

interface Answered {
  readonly answer: string;
  /** Null if the provider does not say. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Whether it was cut off at the token limit. */
  readonly cut: boolean;
}

const WRONG_LENGTH = 2_000;

/** Parses the bytes of a streamed answer. The time depends on the answer, so call it in a helper process. */
export function readAnswer({
  form,
  provider,
  body,
}: {
  readonly form: FormName;
  readonly provider: ProviderName;
  readonly body: Uint8Array;
}): ReadAnswer<FormName> {
  const read = readStream(providers[provider], new TextDecoder().decode(body));
  if (read === null || read.end === 'open') return { kind: 'no completion' };
  if (read.end === 'refused') return { kind: 'refused' };
  const answer = storable(read.text);
  const { inputTokens, outputTokens } = read;
  const answered = { answer, inputTokens, outputTokens, cut: read.end === 'cut' };
  const fitted = fit(forms[form], answer);
  return 'value' in fitted
    ? { kind: 'fits', ...answered, value: fitted.value }
    : { kind: 'does not fit', ...answered, wrong: fitted.wrong.slice(0, WRONG_LENGTH) };
}

/** @returns null for what no provider sends, such as an error in the middle of a stream */
function readStream(provider: Provider, body: string): Reading | null {
  const reading: Reading = { text: '', inputTokens: null, outputTokens: null, end: 'open' };
  const take = (data: string): void => provider.read(JSON.parse(data), reading);
  try {
    // Some servers do not stream.
    if (body.trimStart().startsWith('{')) take(body);
    else
      createParser({
        onEvent: ({ data }) => {
          if (data !== '[DONE]') take(data);
        },
      }).feed(body);
    return reading;
  } catch {
    return null;
  }
}

/** @returns undefined if the text is not JSON */
function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? storable(value) : value));
  } catch {
    return undefined;
  }
}

function fit<T extends z.ZodType>(shape: T, answer: string): { value: z.output<T> } | { wrong: string } {
  const parsed = parse(withoutFence(answer));
  if (parsed === undefined) return { wrong: 'it is not JSON' };
  const result = shape.safeParse(parsed);
  if (result.success) return { value: result.data };
  const issues = result.error.issues.slice(0, 10).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return { wrong: issues.join('; ') };
}

/** Some models put a fence around their JSON although they are told not to. */
function withoutFence(answer: string): string {
  let text = answer.trim();
  if (text.startsWith('```')) text = text.slice(text.startsWith('```json') ? 7 : 3);
  return text.endsWith('```') ? text.slice(0, -3) : text;
}
