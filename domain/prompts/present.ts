import { defaultTemplates } from './default-templates.ts';
import type { PromptOverride } from './effective.ts';
import type { PromptStage } from './stages.ts';
import { missingPlaceholders, placeholdersOf } from './template.ts';

export function presentPrompt(stage: PromptStage, override: PromptOverride | undefined) {
  const template = defaultTemplates[stage];
  return {
    stage,
    default: { template },
    placeholders: placeholdersOf(template),
    override: override
      ? {
          template: override.template,
          version: override.version,
          missing_placeholders: missingPlaceholders(stage, override.template),
          updated_at: override.created_at.toISOString(),
        }
      : null,
    effective: override ? 'override' : 'default',
  };
}
