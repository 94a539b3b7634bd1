import { createTheme } from '@mantine/core';
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

/** The greys of the dark scheme, with a little of the accent in them. */
const dark: MantineColorsTuple = [
  '#d5dbd8',
  '#b9c2be',
  '#97a29d',
  '#77837e',
  '#3d4743',
  '#333c38',
  '#232a27',
  '#1a1f1d',
  '#141817',
  '#0f1211',
];

const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';

/**
 * Calm, with one accent; the surfaces and lines are in base.css.
 *
 * @param close the name of the buttons that close dialogs, which have no text
 */
export function themeWith(close: string) {
  // The header of a dialog is not the banner of the page.
  const dialog = {
    attributes: { header: { role: 'presentation' } },
    closeButtonProps: { 'aria-label': close },
  };
  // Names of what was written are among the options, in any script.
  const choice = { attributes: { option: { dir: 'auto' } } };
  const styles = {
    title: { fontSize: 17, fontWeight: 620, lineHeight: 1.35, overflowWrap: 'anywhere', minWidth: 0 },
  } as const;
  return createTheme({
    colors: { pine, dark },
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
      Modal: { defaultProps: dialog, styles },
      Drawer: { defaultProps: dialog, styles },
      Select: { defaultProps: choice },
      MultiSelect: { defaultProps: choice },
    },
  });
}
