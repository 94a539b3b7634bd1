import { createTheme, MantineThemeProvider } from '@mantine/core';
import type { ReactNode } from 'react';

const readOnly = { defaultProps: { readOnly: true } } as const;
const hidden = { defaultProps: { display: 'none' } } as const;

const theme = createTheme({
  components: {
    TextInput: readOnly,
    Textarea: readOnly,
    Select: readOnly,
    MultiSelect: readOnly,
    TagsInput: readOnly,
    Button: hidden,
    ActionIcon: hidden,
  },
});

export interface ReadOnlyProps {
  readonly when: boolean;
  readonly children: ReactNode;
}

/** A form for people who may only read it: its fields can be read and copied, and its buttons are not shown. */
export const ReadOnly = ({ when, children }: ReadOnlyProps): ReactNode =>
  when ? (
    <MantineThemeProvider theme={theme} inherit>
      {children}
    </MantineThemeProvider>
  ) : (
    children
  );
