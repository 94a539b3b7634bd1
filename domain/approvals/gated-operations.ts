/**
 * Changes that readers see. Agents do these without a person unless the organisation chooses otherwise
 * (docs/spec/rulings.md, 23, Gates to choose).
 */
export const chosenGates = [
  'article.publish',
  'article.unpublish',
  'article.schedule',
  'article.update_published',
  'pending_edit.publish',
  'pending_edit.schedule',
  'articles.bulk',
] as const;

/** The operations that wait for a person unless the organisation exempts them (docs/spec/rulings.md, 11 and 23). */
export const defaultGates = [
  'article.delete',
  'media.delete',
  'comment.delete',
  'comments.erase',
  'key.create',
  'key.rotate',
  'key.revoke',
  'webhook.create',
  'webhook.update',
  'webhook.rotate_secret',
  'pipeline.run',
  'seo_scan.start',
  'cms.push',
  'autopilot.update',
  'member.add',
  'member.role',
  'member.remove',
  'connection.create',
  'connection.update',
  'connection.delete',
  'category.delete',
  'tag.delete',
  'author.delete',
  'webhook.delete',
  'plan_item.delete',
  'prompt.reset',
  'prompt.try',
  'preview_link.delete',
  'comments.settings',
] as const;

/**
 * The operations for which a key held by an agent may need a person's approval. Operations that are audited have the
 * same name as in the audit log.
 */
export const gatedOperations = [...chosenGates, ...defaultGates] as const;

export type GatedOperation = (typeof gatedOperations)[number];

/** Whether agents do it without a person unless the organisation chooses otherwise. */
export const isChosenGate = (gate: GatedOperation): boolean =>
  (chosenGates as readonly GatedOperation[]).includes(gate);

/** The choice of an organisation. */
export interface ChosenGates {
  /** null for the default. */
  readonly approval_operations: readonly string[] | null;
  /** The gates that there were when it chose. */
  readonly approval_operations_offered: readonly string[];
}

/**
 * The gates in force. One that came after the organisation chose its list is in force until a person takes it out: no
 * gate is open because a list does not know it (docs/decisions/0015).
 */
export function gatesInForce({
  approval_operations: chosen,
  approval_operations_offered: offered,
}: ChosenGates): readonly GatedOperation[] {
  if (chosen === null) return defaultGates;
  return [
    ...chosenGates.filter((gate) => chosen.includes(gate)),
    ...defaultGates.filter((gate) => chosen.includes(gate) || !offered.includes(gate)),
  ];
}
