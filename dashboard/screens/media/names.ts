import type { MediaAsset } from '../../../sdk/src/index.ts';
import { useText } from '../../text/texts.ts';
import { screenTexts } from './text.ts';

/** The name of an image for people. */
export function useNameOf(): (asset: Pick<MediaAsset, 'file_name'>) => string {
  const text = useText(screenTexts);
  return ({ file_name: name }) => name ?? text.unnamed;
}

/** As an article includes it. */
export const markdownOf = ({ alt_text: alt, url }: Pick<MediaAsset, 'alt_text' | 'url'>): string =>
  `![${(alt ?? '').replaceAll(/[\\[\]]/g, '\\$&').replaceAll(/\s+/g, ' ')}](${url})`;
