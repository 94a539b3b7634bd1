import { parseArgs } from 'node:util';
import { providers } from '../../adapters/writer/llm/providers.ts';
import type { ProviderName } from '../../adapters/writer/llm/providers.ts';
import { stages } from '../../domain/pipeline/stages.ts';
import type { Stage } from '../../domain/pipeline/stages.ts';
import { StartError } from '../dev/home.ts';
import type { Prices } from './report.ts';
import { languages } from './topics.ts';
import type { Language } from './topics.ts';

const USAGE = `npm run eval -- --model NAME [--base-url URL] [--provider openai] [--stage improve] [--language de] [--topics 10]
    [--price-in 0.5] [--price-out 2] [--max-tokens 16000] [--timeout 600] [--out docs/eval]
  takes 40 recorded topics in four languages through the stages of the pipeline, and writes a report
  --provider openai, anthropic or google; the last two need no --base-url. The key is LLM_API_KEY
  --stage is the last one to run, --topics the number in each language, --timeout the seconds of a call
  prices are for a million tokens
  --model scripted is a model of this tool that makes planted mistakes, scripted-clean one that makes none`;

export interface Options {
  readonly model: string;
  readonly baseUrl: string | null;
  readonly provider: ProviderName;
  readonly stage: Stage;
  readonly languages: readonly Language[];
  readonly topics: number;
  readonly prices: Prices;
  readonly maxTokens: number | undefined;
  readonly timeoutMs: number | undefined;
  readonly out: string;
}

const text = { type: 'string' } as const;

/** @throws StartError with the usage */
export function readOptions(args: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        model: text,
        'base-url': text,
        provider: { ...text, default: 'openai' },
        stage: { ...text, default: 'improve' },
        language: text,
        topics: text,
        'price-in': text,
        'price-out': text,
        'max-tokens': text,
        timeout: text,
        out: { ...text, default: 'docs/eval' },
      },
    });
    const provider = oneOf(Object.keys(providers) as ProviderName[], values.provider);
    const timeout = numberOf(values.timeout);
    return {
      model: given(values.model),
      baseUrl: values['base-url'] ?? providers[provider].vendor,
      provider,
      stage: oneOf(stages, values.stage),
      languages: values.language === undefined ? languages : [oneOf(languages, values.language)],
      topics: numberOf(values.topics) ?? Infinity,
      prices: { input: numberOf(values['price-in']) ?? null, output: numberOf(values['price-out']) ?? null },
      maxTokens: numberOf(values['max-tokens']),
      timeoutMs: timeout === undefined ? undefined : timeout * 1_000,
      out: values.out,
    };
  } catch {
    throw new StartError(USAGE);
  }
}

function given(value: string | undefined): string {
  if (!value) throw new Error('missing');
  return value;
}

function oneOf<Name extends string>(names: readonly Name[], value: string): Name {
  const name = names.find((each) => each === value);
  if (name === undefined) throw new Error('unknown');
  return name;
}

function numberOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!(number >= 0)) throw new Error('no number');
  return number;
}
