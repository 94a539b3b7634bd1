import { z } from 'zod';
import { draft, extraction, judgement, plan } from '../../../domain/pipeline/writer.ts';
import { storable } from '../storable.ts';

/** The forms of answers, by the name that the model is told. */
export const forms = { judgement, extraction, plan, article: draft } as const;

export type FormName = keyof typeof forms;

/** A parsed completion. */
export type ReadAnswer<Name extends FormName> =
  | { readonly kind: 'no completion' }
  | (Answered & { readonly kind: 'fits'; readonly value: z.output<(typeof forms)[Name]> })
  /** `wrong` is sent back to the model, and may quote its answer. */
  | (Answered & { readonly kind: 'does not fit'; readonly wrong: string });

interface Answered {
  readonly answer: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether it was cut off at the token limit. */
  readonly cut: boolean;
}

/** Those of two answers are added up, and stored as an integer of 32 bits. */
const count = z.int().min(0).max(1_000_000_000).catch(0);

/** The members of a completion that are used; servers add others. */
const completion = z.object({
  choices: z.array(
    z.object({
      finish_reason: z.string().nullish(),
      message: z.object({ content: z.string().nullish() }),
    }),
  ),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish().catch(null),
});

const WRONG_LENGTH = 2_000;

/** Parses the bytes of a completion. The time depends on the answer, so call it in a helper process. */
export function readAnswer({
  form,
  body,
}: {
  readonly form: FormName;
  readonly body: Uint8Array;
}): ReadAnswer<FormName> {
  const read = completion.safeParse(parse(new TextDecoder().decode(body)));
  if (!read.success) return { kind: 'no completion' };
  const { choices, usage } = read.data;
  const answer = choices[0]?.message.content ?? '';
  const answered = {
    answer,
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
    cut: choices[0]?.finish_reason === 'length',
  };
  const fitted = fit(forms[form], answer);
  return 'value' in fitted
    ? { kind: 'fits', ...answered, value: fitted.value }
    : { kind: 'does not fit', ...answered, wrong: fitted.wrong.slice(0, WRONG_LENGTH) };
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
