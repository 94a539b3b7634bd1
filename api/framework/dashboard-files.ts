/** One file, as it is and as it was compressed when it was built. */
export interface Asset {
  readonly identity: Buffer;
  readonly gzip: Buffer | undefined;
  readonly br: Buffer | undefined;
}

/** The built dashboard, in memory. */
export interface DashboardFiles {
  /** `index.html`, in which every `__CSP_NONCE__` stands for the nonce of a response. */
  readonly document: string;
  /** The files of `assets/`, by name. */
  readonly assets: ReadonlyMap<string, Asset>;
}
