import { uploadMedia } from '../../sdk/src/index.ts';
import type { MediaAsset, Presswork } from '../../sdk/src/index.ts';
import { offeredWithoutLocation } from './ask-about-location.ts';

type Options = Parameters<typeof uploadMedia>[2];

/** Uploads an image of a person's, who is asked first if it says where it was taken: the API serves what it gets. */
export const uploadImage = async (presswork: Presswork, file: File, options: Options): Promise<MediaAsset> =>
  uploadMedia(presswork, await offeredWithoutLocation(file), options);
