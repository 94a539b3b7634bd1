/** The price of each stage of the pipeline for one article, in credits. */
export const stageCosts = { classify: 1, extract: 1, plan: 2, generate: 10, improve: 5 } as const;

export type Stage = keyof typeof stageCosts;

export const stages = Object.keys(stageCosts) as readonly Stage[];

/** The most that an article can cost. */
export const COST_OF_TOPIC = Object.values(stageCosts).reduce((sum: number, cost) => sum + cost, 0);
