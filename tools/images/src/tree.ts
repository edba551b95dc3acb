/** The files of a layer, and the layer as a tar archive. */
import { once } from 'node:events';
import { dirname } from 'node:path';
import { pack } from 'tar-stream';

export type TreeEntry =
  | { readonly type: 'file'; readonly bytes: Uint8Array; readonly executable?: boolean }
  | { readonly type: 'symlink'; readonly target: string }
  | { readonly type: 'directory'; readonly mode?: number };

/** By path, without a leading slash. Folders above an entry need none of their own. */
export type Tree = ReadonlyMap<string, TreeEntry>;

const EPOCH = new Date(0);

/** A file with this text. */
export function textFile(text: string): TreeEntry {
  return { type: 'file', bytes: Buffer.from(text) };
}

/** The tree as a tar archive: the same tree gives the same bytes. Everything belongs to root, with time 0. */
export async function tarOf(tree: Tree): Promise<Buffer> {
  const tar = pack();
  const chunks: Buffer[] = [];
  tar.on('data', (chunk) => chunks.push(chunk as Buffer));
  const ended = once(tar, 'end');
  for (const [path, entry] of sorted(tree)) {
    const header = { name: path, type: entry.type, mode: modeOf(entry), uid: 0, gid: 0, mtime: EPOCH };
    if (entry.type === 'file') tar.entry(header, bufferOf(entry.bytes));
    else tar.entry(entry.type === 'symlink' ? { ...header, linkname: entry.target } : header);
  }
  tar.finalize();
  await ended;
  return Buffer.concat(chunks);
}

/** Without a copy. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Bytes of all files. */
export function sizeOf(tree: Tree): number {
  return [...tree.values()].reduce((sum, entry) => sum + (entry.type === 'file' ? entry.bytes.length : 0), 0);
}

/** With the folders above each entry, each before what it contains. */
function sorted(tree: Tree): readonly (readonly [string, TreeEntry])[] {
  const complete = new Map<string, TreeEntry>(tree);
  for (const path of tree.keys())
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
      if (!complete.has(folder)) complete.set(folder, { type: 'directory' });
  return [...complete].sort(([a], [b]) => (a < b ? -1 : 1));
}

function modeOf(entry: TreeEntry): number {
  if (entry.type === 'symlink') return 0o777;
  if (entry.type === 'directory') return entry.mode ?? 0o755;
  return entry.executable === true ? 0o755 : 0o644;
}
