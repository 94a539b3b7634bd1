import { z } from 'zod';
import { isModels } from './provider.ts';
import type { Provider } from './provider.ts';
import { tokens } from './tokens.ts';

const chunk = z.object({
  candidates: z
    .array(
      z.object({
        content: z
          .object({
            parts: z
              .array(z.object({ text: z.string().optional(), thought: z.boolean().optional() }))
              .optional(),
          })
          .optional(),
        finishReason: z.string().nullish(),
      }),
    )
    .optional(),
  promptFeedback: z.object({ blockReason: z.string().optional() }).optional(),
  usageMetadata: z
    .object({
      promptTokenCount: tokens.optional(),
      candidatesTokenCount: tokens.optional(),
      thoughtsTokenCount: tokens.optional(),
    })
    .optional(),
  error: z.never().optional(),
});

/** Google's Gemini (ai.google.dev/api/generate-content). */
export const google: Provider = {
  vendor: 'https://generativelanguage.googleapis.com/v1beta',
  path: (model) => `/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
  headers: (apiKey) => ({ 'x-goog-api-key': apiKey }),
  body: ({ system, turns, maxTokens }) => ({
    systemInstruction: { parts: [{ text: system }] },
    contents: turns.map((text, index) => ({ role: isModels(index) ? 'model' : 'user', parts: [{ text }] })),
    generationConfig: { maxOutputTokens: maxTokens, responseMimeType: 'application/json' },
  }),
  read(event, reading) {
    const { candidates, promptFeedback, usageMetadata: used } = chunk.parse(event);
    const [candidate] = candidates ?? [];
    // Thoughts are not part of the answer.
    for (const { text = '', thought = false } of candidate?.content?.parts ?? [])
      if (!thought) reading.text += text;
    const reason = candidate?.finishReason ?? null;
    if (reason !== null) reading.end = ends[reason] ?? 'refused';
    if (promptFeedback?.blockReason !== undefined) reading.end = 'refused';
    if (used === undefined) return;
    reading.inputTokens = used.promptTokenCount ?? reading.inputTokens;
    reading.outputTokens = (used.candidatesTokenCount ?? 0) + (used.thoughtsTokenCount ?? 0);
  },
};

/** Every other reason is one for which it did not write on, such as `SAFETY`. */
const ends: Readonly<Record<string, 'complete' | 'cut'>> = { STOP: 'complete', MAX_TOKENS: 'cut' };
