import { useState } from 'react';
import type { ReactNode } from 'react';
import { useSite } from '../../../api/site.ts';
import { useText } from '../../../text/texts.ts';
import { Tabs } from '../../../ui/controls.ts';
import { useSaving } from '../article/use-article.ts';
import { onDemand } from '../../../ui/on-demand.tsx';
import { Preview } from './preview.tsx';
import { panelTexts } from './text.ts';
import styles from './panels.module.css';

const panels = {
  preview: Preview,
  details: onDemand(async () => (await import('./details.tsx')).Details),
  search: onDemand(async () => (await import('./search-panel.tsx')).SearchPanel),
  blocks: onDemand(async () => (await import('./blocks.tsx')).Blocks),
  review: onDemand(async () => (await import('../review/review-panel.tsx')).ReviewPanel),
  pipeline: onDemand(async () => (await import('../pipeline/pipeline-panel.tsx')).PipelinePanel),
  claims: onDemand(async () => (await import('../claims/claims-panel.tsx')).ClaimsPanel),
} as const;
type Panel = keyof typeof panels;
const all = Object.keys(panels) as Panel[];

/** Where each field is, so that a refused one is found. */
const places: Readonly<Record<string, Panel>> = {
  seo_title: 'search',
  seo_description: 'search',
  seo_keywords: 'search',
  faqs: 'blocks',
  key_takeaways: 'blocks',
  howto_steps: 'blocks',
  comparison: 'blocks',
};
const placeOf = (field: string): Panel => places[field] ?? 'details';

/**
 * The panels that tell something of this article. What the pipeline knows is asked only while it has the article, because
 * browsers report a 404 as an error.
 */
function useNames(): readonly Panel[] {
  const { rights } = useSite();
  const { status, origin } = useSaving(({ base }) => base.lifecycle);
  const reads = rights.can('pipeline:read');
  const isShown: Partial<Record<Panel, boolean>> = {
    pipeline: reads && !['draft', 'scheduled', 'published'].includes(status),
    claims: reads && origin !== 'person',
  };
  return all.filter((name) => isShown[name] ?? true);
}

/** The panels beside the text, one at a time. */
export function Panels(): ReactNode {
  const text = useText(panelTexts);
  const [chosen, show] = useState<Panel>('preview');
  const names = useNames();
  const shown = names.includes(chosen) ? chosen : 'preview';
  const refused = useSaving((state) => state.refused);
  const withMessages = new Set(
    Object.keys(refused)
      .filter((field) => field !== 'title' && field !== 'content')
      .map(placeOf),
  );
  return (
    <aside className={styles.panels} aria-label={text.panels}>
      <Tabs value={shown} onChange={(panel) => show(panel as Panel)} keepMounted={false}>
        <Tabs.List>
          {names.map((name) => (
            <Tabs.Tab key={name} value={name} data-refused={withMessages.has(name) || undefined}>
              {text[name]}
              {withMessages.has(name) && <span className={styles.mark}> !</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {names.map((name) => {
          const Content = panels[name];
          return (
            <Tabs.Panel key={name} value={name} className={styles.panel}>
              <Content />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </aside>
  );
}
