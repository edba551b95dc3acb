/** Stages: the folders and files of a folder in the order in which data passes them. None imports a later one. */
import { targetOf } from './check-relative.ts';
import type { Import } from './scan.ts';

/** By a folder's path from the root: the names in it, in order. */
export type Stages = Readonly<Record<string, readonly string[]>>;

/** Violations, one line each: imports against the order, names without a place in it, and places without a file. */
export function checkStages(imports: readonly Import[], files: Iterable<string>, stages: Stages): string[] {
  const paths = [...files];
  return Object.entries(stages).flatMap(([folder, order]) => {
    const nameOf = (path: string): string | undefined => nameIn(folder, path);
    const found = new Set(paths.flatMap((path) => nameOf(path) ?? []));
    return [
      ...[...found]
        .filter((name) => !order.includes(name))
        .map((name) => `${folder}/${name}: has no place among the stages; add it to them in scripts/imports/rules.ts`),
      ...order
        .filter((name) => !found.has(name))
        .map((name) => `${folder}/${name}: does not exist; remove it from the stages in scripts/imports/rules.ts`),
      ...imports.flatMap((each) => {
        if (!each.specifier.startsWith('.')) return [];
        const [from, to] = [nameOf(each.file), nameOf(targetOf(each))];
        if (from === undefined || to === undefined || order.indexOf(to) <= order.indexOf(from)) return [];
        const problem = `imports ${each.specifier} from a later stage (${from} comes before ${to} in ${folder})`;
        return [`${each.file}: ${problem}; move what both need into ${from} or an earlier stage`];
      }),
    ];
  });
}

/** The part of the path right below the folder; undefined if the path is elsewhere, or is not a TypeScript source. */
function nameIn(folder: string, path: string): string | undefined {
  return path.startsWith(`${folder}/`) && path.endsWith('.ts')
    ? path.slice(folder.length + 1).split('/')[0]
    : undefined;
}
