/**
 * Faces: the files by which other folders import a folder. Its other files may change without an effect on other
 * folders.
 */
import { targetOf } from './check-relative.ts';
import type { Import } from './scan.ts';

/** By a folder's path from the root: the paths of its files that others may import, from that folder. */
export type Faces = Readonly<Record<string, readonly string[]>>;

/**
 * Violations, one line each: imports past a face, and faces that do not exist. Tests may import any file of their
 * package.
 */
export function checkFaces(imports: readonly Import[], files: Iterable<string>, faces: Faces): string[] {
  const paths = new Set(files);
  return Object.entries(faces).flatMap(([folder, names]) => {
    const inside = `${folder}/`;
    const sources = folder.slice(0, folder.indexOf('/src/') + '/src/'.length);
    return [
      ...names
        .filter((name) => !paths.has(inside + name))
        .map((name) => `${inside}${name}: does not exist; remove it from the faces in scripts/imports/rules.ts`),
      ...imports.flatMap((each) => {
        const { file, specifier } = each;
        if (!specifier.startsWith('.') || !file.startsWith(sources) || file.startsWith(inside)) return [];
        const target = targetOf(each);
        if (!target.startsWith(inside) || names.includes(target.slice(inside.length))) return [];
        const problem = `imports ${specifier}, which is internal to ${folder}`;
        return [`${file}: ${problem}; import what ${names.join(' or ')} there exports, or export it there`];
      }),
    ];
  });
}
