// Reads the doc comments of the package's interfaces, so that each field is described in one place only.

/** Descriptions by `Interface` and `Interface.field`. */
export type Docs = ReadonlyMap<string, string>;

const INTERFACE = /^(?:export )?interface (\w+)(?: extends ([^{]+))? \{$/;
const ALIAS = /^export type (\w+) =/;
/** A constant whose value can replace its name in a text. */
const CONSTANT = /^(?:export )?const ([A-Z][A-Z0-9_]*)(?:: \w+)? = (\d[\d_]*);$/gm;
const FIELD = /^ {2}readonly (\w+)\??: (.*);$/;

interface Field {
  readonly owner: string;
  readonly name: string;
  readonly type: string;
  readonly comment: string;
}

/** Declarations in the sources. */
class Declarations {
  /** Doc comments of interfaces. */
  readonly interfaces = new Map<string, string>();
  /** Doc comments of type aliases: they explain the values of a union. */
  readonly aliases = new Map<string, string>();
  readonly parents = new Map<string, readonly string[]>();
  readonly fields: Field[] = [];
}

/** Values of constants by their names: readers of the docs do not know the names in the code. */
type Constants = ReadonlyMap<string, string>;

/**
 * Collects the docs of every interface in `sources` (file texts formatted by the project's formatter). A field has its
 * own comment, followed by that of its union type; without either, that of its type. Inherited fields are listed under
 * the inheriting interface too.
 */
export function interfaceDocs(sources: readonly string[]): Docs {
  const declared = new Declarations();
  const constants = new Map(
    sources.flatMap((source) =>
      [...source.matchAll(CONSTANT)].map(([, name = '', value = '']) => [name, value] as const),
    ),
  );
  for (const source of sources) readSource(source, declared, constants);
  const docs = new Map(declared.interfaces);
  for (const field of declared.fields) {
    const text = describe(field, declared);
    if (text !== '') docs.set(`${field.owner}.${field.name}`, text);
  }
  for (const child of declared.parents.keys()) inherit(child, declared.parents, docs);
  return docs;
}

function readSource(source: string, declared: Declarations, constants: Constants): void {
  let owner = '';
  let comment = '';
  for (const match of source.matchAll(/[ ]*\/\*\*(?<comment>[\s\S]*?)\*\/|(?<line>.+)/g)) {
    const { line } = match.groups ?? {};
    if (line === undefined) {
      comment = plain(match.groups?.['comment'] ?? '', constants);
    } else if (line.trim() !== '') {
      owner = readLine(line, { owner, comment }, declared);
      comment = '';
    }
  }
}

/** Reads one line of code; returns the interface the next line is in, empty outside. */
function readLine(
  line: string,
  { owner, comment }: { owner: string; comment: string },
  declared: Declarations,
): string {
  const opened = INTERFACE.exec(line);
  if (opened?.[1] !== undefined) {
    declared.interfaces.set(opened[1], comment);
    declared.parents.set(
      opened[1],
      (opened[2] ?? '').split(/,\s*/).filter((parent) => /^\w+$/.test(parent)),
    );
    return opened[1];
  }
  const alias = ALIAS.exec(line)?.[1];
  if (alias !== undefined) declared.aliases.set(alias, comment);
  const field = FIELD.exec(line);
  if (owner !== '' && field?.[1] !== undefined) {
    declared.fields.push({ owner, name: field[1], type: field[2] ?? '', comment });
  }
  return line.startsWith('}') ? '' : owner;
}

function describe({ comment, type }: Field, { interfaces, aliases }: Declarations): string {
  const bare = type.replace(/^readonly /, '').replace(/\[\]$/, '');
  const words = aliases.get(bare);
  if (words !== undefined) return `${comment} ${words}`.trim();
  return comment === '' ? (interfaces.get(bare) ?? '') : comment;
}

function inherit(child: string, parents: ReadonlyMap<string, readonly string[]>, docs: Map<string, string>): void {
  for (const parent of parents.get(child) ?? []) {
    inherit(parent, parents, docs);
    for (const [key, text] of [...docs]) {
      const field = key.startsWith(`${parent}.`) ? key.slice(parent.length) : undefined;
      if (field !== undefined && !docs.has(child + field)) docs.set(child + field, text);
    }
  }
}

/** The text of a doc comment without the marks that only readers of the source need. */
function plain(comment: string, constants: Constants): string {
  return comment
    .replace(/^\s*\* ?/gm, ' ')
    .replace(/\s+/g, ' ')
    .replace(/\{@link (\w+)\}/g, (_, name: string) => constants.get(name) ?? name)
    .replace(/`/g, '')
    .trim();
}
