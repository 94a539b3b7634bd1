export type Plan = 'free' | 'pro';

const everyPlan = ['content', 'media', 'taxonomy', 'webhooks', 'comments'] as const;

/**
 * The features of each plan. Only the AI pipeline is missing from some plans (docs/spec/service-api.md, Errors, rule 2).
 */
export const plans: Readonly<
  Record<Plan, { readonly name: string; readonly entitlements: readonly string[] }>
> = {
  free: { name: 'Free', entitlements: everyPlan },
  pro: { name: 'Pro', entitlements: [...everyPlan, 'pipeline'] },
};

/** Included storage, the same for every plan (docs/spec/service-api.md, Limits). */
export const includedStorage = { documents: 10_000, mediaBytes: 25_000_000_000 } as const;
