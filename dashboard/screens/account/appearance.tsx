import type { ReactNode } from 'react';
import { chooseLanguage, languages, useLanguage } from '../../text/language.ts';
import { useText } from '../../text/texts.ts';
import { Group, Radio, Stack, useMantineColorScheme } from '../../ui/controls.ts';
import { Section } from './section.tsx';
import { screenTexts } from './text.ts';

const names = { en: 'English', de: 'Deutsch' } as const;
const schemes = ['light', 'dark', 'auto'] as const;

export function Appearance(): ReactNode {
  const text = useText(screenTexts).appearance;
  const language = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title={text.title} about={text.about}>
      <Stack gap="md">
        <Radio.Group label={text.language} value={language}>
          <Group mt="xs">
            {languages.map((each) => (
              <Radio
                key={each}
                value={each}
                label={<span lang={each}>{names[each]}</span>}
                onChange={() => chooseLanguage(each)}
              />
            ))}
          </Group>
        </Radio.Group>
        <Radio.Group label={text.colours} value={colorScheme}>
          <Group mt="xs">
            {schemes.map((each) => (
              <Radio key={each} value={each} label={text[each]} onChange={() => setColorScheme(each)} />
            ))}
          </Group>
        </Radio.Group>
      </Stack>
    </Section>
  );
}
