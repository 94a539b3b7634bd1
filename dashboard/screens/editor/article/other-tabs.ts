export interface OtherTabs {
  /** Says that this tab has saved the article. */
  readonly tell: (articleId: string) => void;
  readonly close: () => void;
}

/** The other tabs of the Site in this browser. */
export function otherTabs(siteId: string, onSaved: (articleId: string) => void): OtherTabs {
  const channel = new BroadcastChannel(`presswork-saved/${siteId}`);
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') onSaved(data);
  });
  return {
    // A channel has no other origins.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    tell: (articleId) => channel.postMessage(articleId),
    close: () => channel.close(),
  };
}
