import type { Stage } from '../../../domain/pipeline/stages.ts';
import type { Attempt, Brief, Writer, Written } from '../../../domain/pipeline/writer.ts';
import type { FormName } from './answer.ts';
import { ask } from './ask.ts';
import type { Endpoint, Value } from './ask.ts';
import { askForClaims } from './claims.ts';
import { isLong, writeLong } from './long.ts';
import { everything } from './provider.ts';

export interface ModelOptions extends Pick<Endpoint, 'baseUrl' | 'apiKey' | 'http' | 'jobProcesses'> {
  /** Whose format the endpoint speaks; `openai` by default. */
  readonly provider?: Endpoint['provider'] | undefined;
  readonly model: string;
  /** The models of single stages. */
  readonly models?: Readonly<Partial<Record<Stage, string | undefined>>>;
  /** Maximum tokens of an article; other answers get a share of them. */
  readonly maxOutputTokens?: number | undefined;
  /** How long an answer may be silent, and take in all, in ms. */
  readonly silenceMs?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

const SILENCE_MS = 60_000;
const TIMEOUT_MS = 600_000;
/** The limit of common models. */
const OUTPUT_TOKENS = 16_000;
/** Share of an article's tokens for other forms. Reasoning models spend some before they answer. */
const shares: Readonly<Record<FormName, number>> = {
  judgement: 1 / 4,
  questions: 1 / 4,
  extraction: 1 / 2,
  plan: 1 / 2,
  article: 1,
  revision: 1,
  section: 1 / 2,
  frame: 1 / 2,
  claims: 1,
};

/** Writes by a language model (docs/spec/rulings.md, 10). */
export function createModelWriter(options: ModelOptions): Writer {
  const { provider = 'openai', model, models = {}, maxOutputTokens = OUTPUT_TOKENS } = options;
  const { silenceMs = SILENCE_MS, timeoutMs = TIMEOUT_MS } = options;
  const endpoint: Endpoint = { ...options, provider, silenceMs, timeoutMs, known: everything };
  type Ask<Name extends FormName> = (brief: Brief, attempt: Attempt) => Promise<Written<Value<Name>>>;
  const asks =
    <Name extends FormName>(stage: Stage, form: Name): Ask<Name> =>
    ({ prompt, locale }, attempt) => {
      const maxTokens = Math.ceil(maxOutputTokens * shares[form]);
      return ask(endpoint, { form, model: models[stage] ?? model, locale, prompt, maxTokens }, attempt);
    };
  const article = asks('generate', 'article');
  const section = asks('generate', 'section');
  const frame = asks('generate', 'frame');
  const claims = asks('improve', 'claims');
  return {
    name: 'llm',
    modelOf: (stage) => models[stage] ?? model,
    classify: asks('classify', 'judgement'),
    questions: asks('extract', 'questions'),
    extract: asks('extract', 'extraction'),
    plan: asks('plan', 'plan'),
    generate(brief, attempt) {
      if (!isLong(brief.outline)) return article(brief, attempt);
      return writeLong(brief.outline, brief.prompt, {
        section: (prompt) => section({ ...brief, prompt }, attempt),
        frame: (prompt) => frame({ ...brief, prompt }, attempt),
      });
    },
    improve: asks('improve', 'revision'),
    claims: (brief, attempt) =>
      askForClaims(brief.written.content ?? '', brief.sources, (prompt) =>
        claims({ ...brief, prompt }, attempt),
      ),
  };
}
