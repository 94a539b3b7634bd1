import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';

/** A folder of rooms.json, from which the boundary rules, the content of the image and a table are generated. */
export interface Room {
  readonly path: string;
  readonly about: string;
  /** The rooms it may import from; null if it may import from all. */
  readonly imports: readonly string[] | null;
  /** Whether the image contains it; true by default. */
  readonly image?: boolean;
}

export const { rooms } = JSON.parse(readFileSync(join(root, 'rooms.json'), 'utf8')) as {
  readonly rooms: readonly Room[];
};

/** The table in docs/ARCHITECTURE.md. */
export function roomsTable(): string {
  const rows = rooms.map(({ path, about, imports }) => [
    `\`${path}/\``,
    about,
    imports === null ? '' : imports.length === 0 ? 'nothing of the product' : imports.join(', '),
  ]);
  const lines = [['Folder', 'What is in it', 'May import'], ['---', '---', '---'], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** The rooms that .dockerignore excludes. */
export const roomsOutOfImage = (): string =>
  rooms
    .filter(({ image }) => image === false)
    .map(({ path }) => `${path}\n`)
    .join('');
