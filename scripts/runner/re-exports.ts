/**
 * Reads a file's imports and re-exports by name, so that an import from a package leads to the files that define the
 * names.
 */

/** Exported names; undefined for all of a file. */
export type Names = ReadonlySet<string> | undefined;

/** `import ... from` and `export ... from`: the clause and the specifier. */
const STATEMENT = /^(?:import|export)\s+(?!type\s)([^'";]*?)\s*from\s+'([^']+)';?/gm;
/** Imports of types alone load nothing. */
const TYPE_STATEMENT = /^(?:import|export)\s+type\s[^;]*?\sfrom\s+'[^']+';?$/gm;
const COMMENT = /^\/\*[\s\S]*?\*\/$|^\/\/.*$/gm;

export interface Import {
  readonly specifier: string;
  readonly names: Names;
}

/** The imports and re-exports of values in a file, and the text without them. */
export function importsIn(text: string): { readonly imports: readonly Import[]; readonly rest: string } {
  const imports: Import[] = [];
  const rest = text.replace(TYPE_STATEMENT, '').replace(STATEMENT, (_statement, clause: string, specifier: string) => {
    imports.push({ specifier, names: importedNames(clause) });
    return '';
  });
  return { imports, rest };
}

/** `a, b as c` of a clause such as `d, { a, b as c, type T }`: `default`, `a`, `b`. */
function importedNames(clause: string): Names {
  const { outside, entries } = partsOf(clause);
  if (outside.includes('*')) return undefined;
  return new Set([...(outside === '' ? [] : ['default']), ...entries.map(([name]) => name)]);
}

function partsOf(clause: string): {
  readonly outside: string;
  readonly entries: readonly (readonly [string, string])[];
} {
  const [, before = clause, inside = ''] = /^([^{]*)\{([^}]*)\}$/.exec(clause) ?? [];
  const entries = inside
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '' && !entry.startsWith('type '))
    .map((entry) => entry.split(/\s+as\s+/))
    .map(([name = '', alias = name]) => [name, alias] as const);
  return { outside: before.replace(',', '').trim(), entries };
}

/** One `export ... from` of a file that does nothing else. */
export interface ReExport {
  readonly specifier: string;
  /** By exported name, the name in the target file; undefined for `export *`. */
  readonly names: ReadonlyMap<string, string> | undefined;
}

/** The re-exports of a file; undefined if it contains anything else. */
export function reExportsIn(text: string): readonly ReExport[] | undefined {
  const found: ReExport[] = [];
  const rest = text
    .replace(TYPE_STATEMENT, '')
    .replace(COMMENT, '')
    .replace(STATEMENT, (statement: string, clause: string, specifier: string) => {
      if (!statement.startsWith('export')) return statement;
      const { outside, entries } = partsOf(clause);
      if (outside.includes(' as ')) return statement;
      const names = outside === '*' ? undefined : new Map(entries.map(([name, alias]) => [alias, name]));
      found.push({ specifier, names });
      return '';
    });
  return found.length > 0 && rest.trim() === '' ? found : undefined;
}

const DECLARATION = /^export (?:abstract |async |declare )?(?:const|let|function\*?|class) (\w+)/gm;

/** The names of the values that a file declares and exports. */
export function declaredIn(text: string): ReadonlySet<string> {
  return new Set(text.matchAll(DECLARATION).map(([, name = '']) => name));
}
