import type { ObjectStore } from '../../adapters/storage/objects.ts';
import type { Database } from '../../db/database.ts';
import { readSnapshot } from '../../db/snapshot.ts';
import type { DatabaseLogin } from '../../db/snapshot.ts';
import { operator } from '../../domain/audit/record.ts';
import {
  exportedImages,
  exportOrganisation,
  exportSite,
  getOrganisation,
  listSites,
  recordExport,
} from '../../domain/leaving/export.ts';
import type { ExportedImage, ExportedSite } from '../../domain/leaving/export.ts';
import { ExportFolder } from './folder.ts';

/** Time for the bytes of one image, of at most 10 MB. */
const IMAGE_MS = 120_000;

export interface ExportRequest {
  readonly organisationId: string;
  /** The operator. */
  readonly by: string;
  readonly out: string;
}

export interface ExportPorts {
  readonly db: Database;
  readonly login: DatabaseLogin;
  readonly objects: Pick<ObjectStore, 'stream'>;
}

interface ManifestSite extends ExportedSite {
  /** The moment at which all its rows are seen. */
  readonly snapshot_at: string;
}

/**
 * Writes everything that an organisation owns into a folder: a file of JSON lines for each table, the images, and a
 * manifest with checksums. The rows of a Site are of one moment; Sites are read one after another. Run again after an
 * interruption, it writes the tables anew and keeps the images.
 *
 * @returns the output of the command
 */
export async function exportToFolder(
  { db, login, objects }: ExportPorts,
  { organisationId, by, out }: ExportRequest,
): Promise<object> {
  const now = new Date();
  const organisation = await getOrganisation(db, organisationId);
  const folder = await ExportFolder.open(out, organisationId);
  await db.transaction(async (tx) => recordExport({ tx, actor: operator, now }, organisationId, by));
  await readSnapshot(login, 'presswork-export', async (snapshot) => {
    for await (const { name, lines } of exportOrganisation(snapshot, organisationId))
      await folder.writeLines(`organisation/${name}.ndjson`, lines);
  });
  const sites: ManifestSite[] = [];
  const missing: string[] = [];
  for (const site of await listSites(db, organisationId)) {
    const images: ExportedImage[] = [];
    const snapshotAt = new Date();
    await readSnapshot(login, 'presswork-export', async (snapshot) => {
      for await (const { name, lines } of exportSite(snapshot, site.id))
        await folder.writeLines(`sites/${site.id}/${name}.ndjson`, lines);
      for await (const image of exportedImages(snapshot, site.id)) images.push(image);
    });
    sites.push({ ...site, snapshot_at: snapshotAt.toISOString() });
    // Outside the transaction, which would keep old versions of rows for as long as the images take.
    for (const { id, object_key: key } of images) {
      const path = `sites/${site.id}/media/${id}${/\.\w+$/.exec(key)?.[0] ?? ''}`;
      const open = async () => (await objects.stream(key, AbortSignal.timeout(IMAGE_MS)))?.body ?? null;
      if (!(await folder.writeImage(path, open))) missing.push(path);
    }
  }
  await folder.finish({
    format: 'presswork-export',
    version: 1,
    organisation,
    exported_at: now.toISOString(),
    sites,
    // Images that storage has lost, or that were deleted during the export.
    missing,
  });
  return {
    id: organisationId,
    out,
    sites: sites.length,
    files: folder.files.length + 1,
    bytes: folder.files.reduce((sum, { bytes }) => sum + bytes, 0),
    missing,
  };
}
