import { settingGroups } from '../../runtime/setting-texts.ts';
import { readSettings, secretNames, settingNames } from '../../runtime/settings.ts';
import type { Settings } from '../../runtime/settings.ts';

const defaults = readSettings({});

/** The default of a setting as it is written in the environment. */
function defaultOf(name: keyof Settings): string {
  const value = defaults[name];
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw new Error(`runtime/setting-texts.ts has to say what counts without ${name}`);
  return `\`${value}\``;
}

/** docs/settings.md: every setting with its default. */
export function settingsDocument(): string {
  const told = settingGroups.flatMap(({ settings }) => Object.keys(settings));
  const untold = settingNames.filter((name) => !told.includes(name));
  if (untold.length > 0) throw new Error(`runtime/setting-texts.ts says nothing of ${untold.join(', ')}`);
  const groups = settingGroups.map(({ title, settings }) => {
    const rows = Object.entries(settings).map(
      ([name, { about, unset }]) =>
        `| \`${name}\` | ${unset ?? defaultOf(name as keyof Settings)} | ${about} |\n`,
    );
    return `## ${title}\n\n| Variable | Default | What it sets |\n| --- | --- | --- |\n${rows.join('')}`;
  });
  return `# Settings

<!-- From runtime/settings.ts and runtime/setting-texts.ts by npm run generate; do not edit. -->

Every process reads them from its environment, and each variable means the same in all of them.
An empty variable counts as unset.
A wrong value stops the start with one line that names the variable.
"Embedded" is a server that \`npm start\` runs; without \`npm start\` such a setting is needed.

A secret may be in a file instead: \`NAME_FILE\` is the path of a file that holds the value of \`NAME\`, at most 64 KB.
A newline at its end does not count.
These may: ${secretNames.map((name) => `\`${name}\``).join(', ')}.

Two more are read before the settings, by \`npm start\` and the scripts: \`PRESSWORK_HOME\` (\`.presswork\`), the data folder,
and \`PRESSWORK_CACHE\` (\`.cache\`), where built and downloaded tools are kept; several clones may share it.

${groups.join('\n')}`;
}
