import { z } from 'zod';
import { isModels } from './provider.ts';
import type { Provider } from './provider.ts';
import { tokens } from './tokens.ts';

const usage = z.object({
  input_tokens: tokens.nullish(),
  cache_creation_input_tokens: tokens.nullish(),
  cache_read_input_tokens: tokens.nullish(),
  output_tokens: tokens.nullish(),
});

/** The events of a streamed message, by their type; servers send others between them. */
const event = z.union([
  z.object({ type: z.literal('message_start'), message: z.object({ usage }) }),
  z.object({ type: z.literal('content_block_delta'), delta: z.object({ text: z.string().optional() }) }),
  z.object({
    type: z.literal('message_delta'),
    delta: z.object({ stop_reason: z.string().nullish() }),
    usage: usage.nullish(),
  }),
  z.object({ type: z.enum(['ping', 'content_block_start', 'content_block_stop', 'message_stop']) }),
]);

/** Anthropic's messages (docs.anthropic.com/en/api/messages-streaming). */
export const anthropic: Provider = {
  vendor: 'https://api.anthropic.com/v1',
  path: () => '/messages',
  headers: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
  body: ({ model, system, turns, maxTokens }) => ({
    model,
    system,
    messages: turns.map((content, index) => ({ role: isModels(index) ? 'assistant' : 'user', content })),
    max_tokens: maxTokens,
    stream: true,
  }),
  read(sent, reading) {
    const got = event.parse(sent);
    if (got.type === 'message_start') reading.inputTokens = inputOf(got.message.usage);
    if (got.type === 'content_block_delta') reading.text += got.delta.text ?? '';
    if (got.type !== 'message_delta') return;
    reading.outputTokens = got.usage?.output_tokens ?? reading.outputTokens;
    const reason = got.delta.stop_reason ?? null;
    if (reason !== null) reading.end = ends[reason] ?? 'complete';
  },
};

/** Tokens that come from a cache are paid as well. */
const inputOf = (used: z.infer<typeof usage>): number =>
  (used.input_tokens ?? 0) + (used.cache_creation_input_tokens ?? 0) + (used.cache_read_input_tokens ?? 0);

const ends: Readonly<Record<string, 'cut' | 'refused'>> = {
  max_tokens: 'cut',
  model_context_window_exceeded: 'cut',
  refusal: 'refused',
};
