/** Relative imports: they stay in their package, name an existing file, and sources do not import tests. */
import { posix } from 'node:path';
import { type Place, placeOf } from './place.ts';
import type { Import } from './scan.ts';
import type { Workspace } from './source.ts';

/** The path from the root that a relative import names. */
export function targetOf({ file, specifier }: Import): string {
  return posix.join(posix.dirname(file), specifier);
}

/** The error of a relative import, if any. */
export function checkRelative(each: Import, place: Place, workspace: Workspace): string | undefined {
  const target = targetOf(each);
  const there = placeOf(target, workspace);
  if (there.folder !== place.folder) {
    return `reaches into ${there.folder || 'the root'} by ${each.specifier}; import ${there.manifest.name} by its name`;
  }
  if (target === `${place.folder}/package.json`) return undefined; // always shipped
  if (place.shipped && !target.startsWith(`${place.folder}/src/`)) {
    return `a source imports ${each.specifier}, which is not shipped; move what it needs into src`;
  }
  if (target.endsWith('.ts') && !workspace.files.has(target)) return `imports ${each.specifier}, which does not exist`;
  return undefined;
}
