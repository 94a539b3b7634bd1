import type { ReactNode } from 'react';
import type { Blueprint, Section } from '../../../sdk/src/index.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { screenTexts } from './text.ts';
import type { Block } from './typed.ts';
import styles from './blueprint-view.module.css';

/** A blueprint that cannot be changed. */
export function BlueprintView({ blueprint }: { readonly blueprint: Blueprint }): ReactNode {
  const { form: text } = useText(screenTexts);
  const format = useFormat();
  const lengthOf = useLength();
  const named = blueprint.requires.map((block) => text.blocks[block as Block] ?? block);
  return (
    <div className={styles.blueprint}>
      <h3>{text.requires}</h3>
      <p>{named.length === 0 ? text.none : format.list(named)}</p>
      <h3>{text.sections}</h3>
      {blueprint.sections.length === 0 && <p>{text.noSections}</p>}
      <ol>
        {blueprint.sections.map((section, index) => (
          // Two of the same are the same.
          <li key={index}>
            <strong dir="auto">{section.heading}</strong>
            <span className={styles.length}>{lengthOf(section)}</span>
            <p dir="auto">{section.guidance}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}

function useLength(): (section: Section) => string {
  const { form: text } = useText(screenTexts);
  const format = useFormat();
  return ({ min_words: least, max_words: most }) => {
    if (least === undefined) return most === undefined ? text.any : text.atMost(format.number(most));
    if (most === undefined) return text.atLeast(format.number(least));
    return text.words(format.number(least), format.number(most));
  };
}
