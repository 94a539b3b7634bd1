import { z } from 'zod';
import { isModels } from './provider.ts';
import type { Provider } from './provider.ts';
import { tokens } from './tokens.ts';

const part = z.object({ content: z.string().nullish(), refusal: z.string().nullish() });

/** The members of a chunk, or of a whole completion, that are used; servers add others. */
const completion = z.object({
  choices: z.array(
    z.object({ finish_reason: z.string().nullish(), delta: part.nullish(), message: part.nullish() }),
  ),
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(null),
});

/** OpenAI's chat completions, which most servers speak (platform.openai.com/docs/api-reference/chat). */
export const openai: Provider = {
  vendor: null,
  path: () => '/chat/completions',
  headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  body: ({ model, system, turns, maxTokens, form, schema }, known) => ({
    model,
    messages: [
      { role: 'system', content: system },
      ...turns.map((content, index) => ({ role: isModels(index) ? 'assistant' : 'user', content })),
    ],
    [known.limit]: maxTokens,
    ...(known.schema && { response_format: { type: 'json_schema', json_schema: { name: form, schema } } }),
    stream: true,
    ...(known.usage && { stream_options: { include_usage: true } }),
  }),
  read(event, reading) {
    const { choices, usage } = completion.parse(event);
    const [choice] = choices;
    const said = choice?.delta ?? choice?.message;
    reading.text += said?.content ?? '';
    const reason = choice?.finish_reason ?? null;
    if (said?.refusal) reading.end = 'refused';
    // A refusal ends like any other answer.
    else if (reason !== null && reading.end === 'open') reading.end = ends[reason] ?? 'complete';
    if (usage === null || usage === undefined) return;
    reading.inputTokens = usage.prompt_tokens;
    reading.outputTokens = usage.completion_tokens;
  },
};

const ends: Readonly<Record<string, 'cut' | 'refused'>> = { length: 'cut', content_filter: 'refused' };
