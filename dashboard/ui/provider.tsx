import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { texts, useText } from '../text/texts.ts';
import './styles.ts';
import { nonce } from './nonce.ts';
import { themeWith } from './theme.ts';
import { Toasts } from './toasts.tsx';

const colorSchemes = localStorageColorSchemeManager({ key: 'presswork.colours' });

const closeTexts = texts({ close: 'Close' }, { close: 'Schließen' });

/** The providers that every component of this folder needs. */
export function UiProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const { close } = useText(closeTexts);
  const theme = useMemo(() => themeWith(close), [close]);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      getStyleNonce={() => nonce}
    >
      {children}
      <Toasts />
    </MantineProvider>
  );
}
