/** Imports by name: of Node, of other packages of the workspace, of external libraries. */
import { builtinModules } from 'node:module';
import type { Place } from './place.ts';
import type { Rules } from './rules.ts';
import type { Import } from './scan.ts';
import type { Workspace } from './source.ts';

const SCOPE = '@meshrelay/';
const BUILTIN = new Set(builtinModules);

/** The error of an import by name, if any. */
export function checkExternal(each: Import, place: Place, workspace: Workspace, rules: Rules): string | undefined {
  const { specifier } = each;
  if (specifier.startsWith('node:') || BUILTIN.has(specifier)) return checkNode(each, place, rules);
  const name = packageNameOf(specifier);
  if (name === place.manifest.name) return `imports its own package by name (${specifier}); use a relative path`;
  return (
    checkDeclared(name, place, workspace, rules) ??
    (name.startsWith(SCOPE)
      ? (checkExported(specifier, name, workspace) ?? checkAllowed(name, place, rules))
      : checkOwner(name, place, rules))
  );
}

function checkNode({ specifier, file }: Import, place: Place, { packages }: Rules): string | undefined {
  if (!specifier.startsWith('node:')) return `imports ${specifier}; write node:${specifier}`;
  const rule = packages[place.packageName ?? ''];
  if (!place.shipped || !rule?.pure) return undefined;
  if (rule.onNode?.some((folder) => file.startsWith(`${place.folder}/src/${folder}/`))) return undefined;
  return `imports ${specifier}, but ${place.packageName} runs without Node; have its host hand in what it needs`;
}

/** Sources need dependencies of their own package; tests may also use those of the root, which all tests share. */
function checkDeclared(
  name: string,
  { manifest, folder, shipped, packageName }: Place,
  { manifests }: Workspace,
  { packages }: Rules,
): string | undefined {
  const installed = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
  const forTests = { ...manifest.devDependencies, ...manifests.get('')?.devDependencies };
  const isInstalled = shipped && packages[packageName ?? '']?.bundled !== true;
  if (Object.hasOwn(isInstalled ? installed : { ...installed, ...forTests }, name)) return undefined;
  const where = isInstalled ? 'dependencies' : 'dependencies or devDependencies';
  return `imports ${name}, which is not in the ${where} of ${folder === '' ? '' : `${folder}/`}package.json; declare it there`;
}

/** Only exports of a package may be imported. */
function checkExported(specifier: string, name: string, { manifests }: Workspace): string | undefined {
  const manifest = [...manifests.values()].find((each) => each.name === name);
  if (!manifest) return `imports ${name}, which is not a package of this workspace`;
  const path = `.${specifier.slice(name.length)}`;
  if (Object.hasOwn(manifest.exports ?? {}, path)) return undefined;
  return `imports ${specifier}, which ${name} does not export; import from ${name}, or add ${path} to its exports`;
}

function checkAllowed(name: string, { packageName, shipped }: Place, { packages }: Rules): string | undefined {
  if (!shipped || packageName === undefined) return undefined;
  const allowed = packages[packageName]?.packages ?? [];
  if (allowed.includes(name.slice(SCOPE.length))) return undefined;
  const list = allowed.length === 0 ? 'no package' : `only ${allowed.join(', ')}`;
  return `imports ${name}; ${packageName} may import ${list} (scripts/imports/rules.ts)`;
}

function checkOwner(name: string, { packageName, shipped }: Place, { libraries }: Rules): string | undefined {
  if (!shipped || packageName === undefined) return undefined;
  const owners = libraries[name];
  if (!owners) return `imports ${name}, which no package owns; name its owner in scripts/imports/rules.ts`;
  if (owners.includes(packageName)) return undefined;
  return `imports ${name}, which belongs to ${owners.join(' and ')}; use what ${owners.length === 1 ? 'it exports' : 'they export'}`;
}

/** `@scope/name/path` -> `@scope/name`, `name/path` -> `name`. */
function packageNameOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
