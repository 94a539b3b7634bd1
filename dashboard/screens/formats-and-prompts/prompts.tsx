import type { ReactNode } from 'react';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { Prompt } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { PromptEditor } from './prompt-editor.tsx';
import { stages } from './search.ts';
import { screenTexts } from './text.ts';
import { Versions } from './versions.tsx';
import styles from './prompts.module.css';

const route = getRouteApi('/$siteId/formats-and-prompts');

/** The prompts of the AI at each stage. */
export function Prompts(): ReactNode {
  const { id: siteId } = useSite();
  const { prompts: text } = useText(screenTexts);
  const { stage = stages[0] } = route.useSearch();
  const { data, error, refetch } = useItem({
    key: ['prompts'],
    load: (presswork, options) => presswork.prompts.list(options),
  });
  if (data === undefined)
    return error === null ? <Loading /> : <ErrorNote error={error} retry={() => void refetch()} />;
  const prompt = data[stage];
  return (
    <div className={styles.columns}>
      <nav aria-label={text.stagesLabel}>
        <ol className={styles.stages}>
          {stages.map((name) => (
            <li key={name}>
              <Link
                to="/$siteId/formats-and-prompts"
                params={{ siteId }}
                search={{ show: 'prompts', stage: name }}
                aria-current={name === stage ? 'page' : undefined}
                className={styles.stage}
              >
                {text.stages[name]}
                <span>{sourceOf(data[name], text)}</span>
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      <div className={styles.main}>
        <h2>{text.stages[stage]}</h2>
        {/* Another stage is another text: nothing of the one is left in the other. */}
        <PromptEditor key={stage} stage={stage} prompt={prompt} known={namesOf(Object.values(data))} />
        <Versions
          key={`versions ${stage}`}
          stage={stage}
          inUse={prompt.override?.template ?? prompt.default.template}
          current={prompt.override?.version ?? null}
        />
      </div>
    </div>
  );
}

const sourceOf = (
  { override }: Prompt,
  text: { readonly yours: (version: number) => string; readonly platform: string },
): string => (override === null ? text.platform : text.yours(override.version));

/** Everything that the platform fills in at some stage. */
const namesOf = (prompts: readonly Prompt[]): ReadonlySet<string> =>
  new Set(prompts.flatMap(({ placeholders }) => placeholders));
