/** New names of files and folders, and the paths to them in sources, documents and settings. */
import { dirname, join, posix } from 'node:path';
import { fits, type Row } from './table.ts';

/** Old path -> new path of each file that moves. Throws if two would collide. */
export function planMoves(paths: readonly string[], rows: readonly Row[], refused: string[]): Map<string, string> {
  const fileRows = rows.filter((row) => row.what === 'file');
  const moves = new Map<string, string>();
  const taken = new Set(paths);
  for (const path of paths) {
    if (path.includes('/golden/')) continue;
    const parts = path.split('/').map((part) => {
      const stem = part.replace(/\..*/s, '');
      const row = fileRows.find((each) => each.old === stem && fits(each, path));
      const [name] = row?.names ?? [];
      return name === undefined ? part : name + part.slice(stem.length);
    });
    const to = parts.join('/');
    if (to === path) continue;
    if (taken.has(to)) refused.push(`${path}: ${to} exists`);
    else {
      moves.set(path, to);
      taken.add(to);
    }
  }
  return moves;
}

const PATH = /(?:\.{1,2}\/)*[\w@.-]+(?:\/[\w@.*-]+)*/g;

/**
 * Rewrites the paths in a text.
 * @param file original path of the text, from the root
 * @param target its new path
 * @param specifiersOnly whether bare names such as `rivalry.ts` are left unchanged
 */
export function rewritePaths(
  text: string,
  file: string,
  target: string,
  moves: ReadonlyMap<string, string>,
  roots: readonly string[],
): string {
  const folders = foldersOf(moves);
  const renamed = (path: string): string | undefined => moves.get(path) ?? folders.get(path);
  const here = dirname(file);
  const there = dirname(target);
  return text.replace(PATH, (token) => {
    if (!/[/.]/.test(token)) return token;
    const trailing = /[./]+$/.exec(token)?.[0] ?? '';
    const bare = token.slice(0, token.length - trailing.length);
    if (bare === '' || bare.includes('*')) return token;
    const isRelative = bare.startsWith('./') || bare.startsWith('../');
    for (const base of isRelative
      ? [here]
      : [here, '.', ...roots.filter((root) => file.startsWith(`${root}/`) || bare.includes('/'))]) {
      const path = posix.normalize(join(base, bare));
      const to = renamed(path);
      const moved = base === here && here !== there;
      if (to === undefined && !(moved && isRelative && known(path))) continue;
      const end = posix.relative(base === here ? there : base === '.' ? '' : base, to ?? path);
      return (isRelative && !end.startsWith('.') ? `./${end}` : end) + trailing;
    }
    return bare.includes('/') && !isRelative ? (suffix(bare, moves, folders) ?? bare) + trailing : token;
  });
  function known(path: string): boolean {
    return allPaths.has(path);
  }
}

const allPaths = new Set<string>();

/** Reports which files exist, so that relative paths out of a file that moves are found. */
export function setKnownPaths(paths: readonly string[]): void {
  for (const path of paths)
    for (let at = path; at !== '.'; at = dirname(at)) {
      if (allPaths.has(at)) break;
      allPaths.add(at);
    }
}

/** Folders of which every file moves in the same way. */
function foldersOf(moves: ReadonlyMap<string, string>): Map<string, string> {
  const cached = folderCache.get(moves);
  if (cached) return cached;
  const folders = new Map<string, string>();
  for (const [from, to] of moves) {
    const before = from.split('/');
    const after = to.split('/');
    for (let end = 1; end < before.length; end++)
      if (before[end - 1] !== after[end - 1])
        folders.set(before.slice(0, end).join('/'), after.slice(0, end).join('/'));
  }
  folderCache.set(moves, folders);
  return folders;
}

const folderCache = new WeakMap<ReadonlyMap<string, string>, Map<string, string>>();

/** `plugin/rivalry.ts`: the end of one path that moves. */
function suffix(
  bare: string,
  moves: ReadonlyMap<string, string>,
  folders: ReadonlyMap<string, string>,
): string | undefined {
  const found = new Set<string>();
  for (const [from, to] of [...moves, ...folders])
    if (from.endsWith(`/${bare}`)) found.add(to.split('/').slice(-bare.split('/').length).join('/'));
  return found.size === 1 ? [...found][0] : undefined;
}
