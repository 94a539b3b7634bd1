import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core';
import type { ReactNode } from 'react';
import './styles.ts';
import { nonce } from './nonce.ts';
import { theme } from './theme.ts';
import { Toasts } from './toasts.tsx';

const colorSchemes = localStorageColorSchemeManager({ key: 'presswork.colours' });

/** What every component of this folder needs around it. */
export function UiProvider({ children }: { readonly children: ReactNode }): ReactNode {
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
