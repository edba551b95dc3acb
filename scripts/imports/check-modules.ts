/** The entry of a package: `mod.ts` lists the exports and contains no code. */

const COMMENTS = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;
const REEXPORT = /export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*'[^']*'\s*;/g;

/** Each `mod.ts` that contains anything but re-exports. */
export function checkModules(files: ReadonlyMap<string, string>): string[] {
  return [...files]
    .filter(([path]) => path.endsWith('/src/mod.ts'))
    .map(([path, text]) => [path, text.replace(COMMENTS, '').replace(REEXPORT, '').trim()] as const)
    .filter(([, rest]) => rest !== '' && rest !== 'export {};')
    .map(
      ([path, rest]) => `${path}: may only re-export, but has: ${rest.split('\n')[0]}; move it to a file of its own`,
    );
}
