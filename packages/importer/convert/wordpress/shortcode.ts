export interface Shortcode {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Values without a name. */
  readonly bare: readonly string[];
  readonly content: string;
}

export interface ShortcodeImage {
  readonly url: string;
  readonly alt: string;
  readonly caption: string;
}
