/** A Helm chart as the archive that `helm package` makes, without times: the same chart gives the same bytes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type TreeEntry, tarOf } from '@meshrelay/images';

/** @param charts the folder with the chart */
export async function chartArchive(charts: string, name: string): Promise<Buffer> {
  const folder = join(charts, name);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const tree = new Map<string, TreeEntry>(
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return [relative(charts, file), { type: 'file', bytes: readFileSync(file) }];
    }),
  );
  return gzipSync(await tarOf(tree), { level: 9 });
}
