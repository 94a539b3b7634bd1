export type Plan = 'free' | 'pro';

const everyPlan = ['content', 'media', 'taxonomy', 'webhooks', 'comments'] as const;

/** What each plan comes with; the AI pipeline alone is not on every one (specification, Errors, rule 2). */
export const plans: Readonly<
  Record<Plan, { readonly name: string; readonly entitlements: readonly string[] }>
> = {
  free: { name: 'Free', entitlements: everyPlan },
  pro: { name: 'Pro', entitlements: [...everyPlan, 'pipeline'] },
};

/** Included storage, the same on every plan (specification, Limits). */
export const includedStorage = { documents: 10_000, mediaBytes: 25_000_000_000 } as const;
