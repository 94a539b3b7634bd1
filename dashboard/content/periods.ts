/** How far back a list goes. */
export const periods = ['hour', 'day', 'week', 'month'] as const;
export type Period = (typeof periods)[number];
