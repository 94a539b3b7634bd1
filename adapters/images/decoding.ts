/** Whether every pixel of every frame decodes; if that was not known in time, it was too slow. */
export type Decoding = 'complete' | 'damaged' | 'too slow';

/** Limit of decoding an image, in seconds. The largest honest ones take three on one core that does nothing else. */
export const LONGEST_SECONDS = 30;
