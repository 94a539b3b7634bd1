import { createTheme, Modal } from '@mantine/core';
import type { MantineColorsTuple } from '@mantine/core';

const pine: MantineColorsTuple = [
  '#eef6f2',
  '#dcece5',
  '#b9d9cc',
  '#92c4b1',
  '#6db09a',
  '#4c9a82',
  '#37836c',
  '#286b58',
  '#1d5646',
  '#133f34',
];

const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';

/** Calm, with one accent; the surfaces and lines are in base.css. */
export const theme = createTheme({
  colors: { pine },
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 7 },
  fontFamily: font,
  fontFamilyMonospace: 'ui-monospace, "Cascadia Code", "SF Mono", Menlo, Consolas, monospace',
  headings: { fontFamily: font, fontWeight: '620' },
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '5px', md: '8px', lg: '12px', xl: '18px' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    // The header of a dialog is not the banner of the page.
    Modal: Modal.extend({ defaultProps: { attributes: { header: { role: 'presentation' } } } }),
  },
});
