import type { ReactNode } from 'react';
import { useText } from '../../../text/texts.ts';
import { TextInput, Textarea } from '../../../ui/controls.ts';
import { textOrNull, useField } from '../fields.ts';
import { ComparisonBlock } from './comparison-block.tsx';
import { ItemList } from './item-list.tsx';
import { panelTexts } from './text.ts';

/** The parts of an article that have a form of their own. */
export const Blocks = (): ReactNode => (
  <>
    <Takeaways />
    <Faqs />
    <Steps />
    <ComparisonBlock />
  </>
);

function Takeaways(): ReactNode {
  const text = useText(panelTexts);
  const { value, set, errorAt } = useField('key_takeaways');
  return (
    <ItemList
      title={text.takeaways}
      items={value}
      onChange={set}
      nameOf={text.takeaway}
      add={text.addTakeaway}
      empty=""
      error={errorAt()}
    >
      {(item, change, index) => (
        <Textarea
          aria-label={text.takeaway(index + 1)}
          rows={2}
          dir="auto"
          value={item}
          error={errorAt(`${index}`)}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
    </ItemList>
  );
}

function Faqs(): ReactNode {
  const text = useText(panelTexts);
  const { value, set, errorAt } = useField('faqs');
  return (
    <ItemList
      title={text.faqs}
      items={value}
      onChange={set}
      nameOf={text.faq}
      add={text.addFaq}
      empty={{ question: '', answer: '' }}
      error={errorAt()}
    >
      {(item, change, index) => (
        <>
          <TextInput
            label={text.question}
            dir="auto"
            value={item.question}
            error={errorAt(`${index}.question`)}
            onChange={({ currentTarget }) => change({ ...item, question: currentTarget.value })}
          />
          <Textarea
            label={text.answer}
            rows={3}
            dir="auto"
            value={item.answer}
            error={errorAt(`${index}.answer`)}
            onChange={({ currentTarget }) => change({ ...item, answer: currentTarget.value })}
          />
        </>
      )}
    </ItemList>
  );
}

function Steps(): ReactNode {
  const text = useText(panelTexts);
  const { value, set, errorAt } = useField('howto_steps');
  return (
    <ItemList
      title={text.howto}
      items={value}
      onChange={set}
      nameOf={text.step}
      add={text.addStep}
      empty={{ name: '', text: '', image_url: null }}
      error={errorAt()}
    >
      {(item, change, index) => (
        <>
          <TextInput
            label={text.stepName}
            dir="auto"
            value={item.name}
            error={errorAt(`${index}.name`)}
            onChange={({ currentTarget }) => change({ ...item, name: currentTarget.value })}
          />
          <Textarea
            label={text.stepText}
            rows={3}
            dir="auto"
            value={item.text}
            error={errorAt(`${index}.text`)}
            onChange={({ currentTarget }) => change({ ...item, text: currentTarget.value })}
          />
          <TextInput
            label={text.stepImage}
            type="url"
            value={item.image_url ?? ''}
            error={errorAt(`${index}.image_url`)}
            onChange={({ currentTarget }) =>
              change({ ...item, image_url: textOrNull(currentTarget.value.trim()) })
            }
          />
        </>
      )}
    </ItemList>
  );
}
