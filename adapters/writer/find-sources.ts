import type { Topic } from '../../domain/pipeline/brief.ts';
import type { Attempt, Spent, Writer } from '../../domain/pipeline/writer.ts';
import { isOwnHost } from '../../domain/kernel/own-host.ts';
import { createSlots } from '../../packages/base/slots.ts';
import { TooBusy } from '../pages/visit.ts';
import { SearchFailed } from '../research/research.ts';
import type { Research } from '../research/research.ts';
import { asPage } from '../research/results.ts';
import { addUp } from './llm/spent.ts';
import { asQuestion, questionsTemplate } from './questions.ts';
import { renderPrompt } from './render-prompt.ts';
import type { PromptJobs } from './render-prompt.ts';
import type { SourceReader } from './source.ts';

export interface SearchPorts {
  readonly writer: Writer;
  readonly research: Research;
  readonly jobProcesses: PromptJobs;
}

/** What a search found, and what it used. */
export interface Found {
  readonly urls: readonly string[];
  /** What the questions cost. */
  readonly spent: Spent;
  /** For the readers of the run; null if every search had an answer. */
  readonly problem: string | null;
}

/** Nothing was searched for. */
export const nothingFound: Found = { urls: [], spent: addUp([]), problem: null };

/** The most pages that are read of all that was found, and the searches at once. */
const PAGES = 10;
const AT_ONCE = 4;

/**
 * Searches for what the writer asks about a topic. A failed search does not fail it.
 *
 * @param known the pages that the topic names, and the domain of the Site: what they have is not looked for
 * @throws WriterError if there are no questions
 */
export async function findSources(
  ports: SearchPorts,
  topic: Topic,
  known: { readonly named: readonly string[]; readonly domain: string },
  attempt: Attempt,
): Promise<Found> {
  const { questions, spent } = await questionsOf(ports, topic, attempt);
  const inTurn = createSlots(AT_ONCE);
  const failures: string[] = [];
  const results = await Promise.all(
    questions.map((question) =>
      inTurn(async () => {
        try {
          return await ports.research.search(question, attempt);
        } catch (error) {
          if (!(error instanceof SearchFailed)) throw error;
          failures.push(error.message);
          return [];
        }
      }),
    ),
  );
  const why = [...new Set(failures)].join('; ');
  return {
    urls: choose(results, known),
    spent,
    problem:
      failures.length === 0 ? null : `${failures.length} of ${questions.length} searches failed: ${why}.`,
  };
}

async function questionsOf(
  { writer, jobProcesses }: SearchPorts,
  topic: Topic,
  attempt: Attempt,
): Promise<{ readonly questions: readonly string[]; readonly spent: Spent }> {
  const { title, keywords } = topic;
  if (writer.questions === undefined)
    return { questions: distinct([[title, ...keywords].join(' ')]), spent: nothingFound.spent };
  const prompt = await renderPrompt(jobProcesses, 'extract', questionsTemplate, topic, attempt);
  const written = await writer.questions({ ...topic, prompt }, attempt);
  return { questions: distinct(written.value.questions), spent: addUp([written]) };
}

const distinct = (texts: readonly string[]): string[] => [
  ...new Set(texts.map(asQuestion).filter((question) => question !== '')),
];

/** The first results of each question first. */
function choose(
  results: readonly (readonly string[])[],
  { named, domain }: { readonly named: readonly string[]; readonly domain: string },
): string[] {
  const taken = new Set(named.map(asPage));
  const chosen = new Set<string>();
  const longest = Math.max(0, ...results.map(({ length }) => length));
  for (let place = 0; place < longest; place += 1)
    for (const url of results.flatMap((found) => found[place] ?? [])) {
      if (chosen.size === PAGES) break;
      if (!taken.has(url) && !isOwnHost(new URL(url).hostname, domain)) chosen.add(url);
    }
  return [...chosen];
}

/** Reads the pages that were found as others. Nobody named them, so none is missed that cannot be read. */
export const readerOfFound = (sources: SourceReader, found: readonly string[]): SourceReader => ({
  async read(url, attempt) {
    if (!found.includes(url)) return sources.read(url, attempt);
    try {
      const source = await sources.read(url, attempt);
      return source.text === null ? { text: null, problem: null } : source;
    } catch (error) {
      if (!(error instanceof TooBusy)) throw error;
      return { text: null, problem: null };
    }
  },
});
