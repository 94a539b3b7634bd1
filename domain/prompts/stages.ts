/** The stages that have a prompt (docs/spec/service-api.md, Prompt). */
export const promptStages = ['plan', 'generate', 'improve', 'classify', 'extract'] as const;

export type PromptStage = (typeof promptStages)[number];

export const isPromptStage = (name: string): name is PromptStage =>
  (promptStages as readonly string[]).includes(name);
