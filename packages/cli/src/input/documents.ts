/** Documents of YAML and JSON files, with the places their fields stand at. */
import { Composer, type Document, isCollection, isMap, isNode, LineCounter, Parser, parseDocument, visit } from 'yaml';
import { InputError, inputError } from '../problem.ts';
import type { InputFile } from './files.ts';
import { KUBERNETES_YAML } from './kubernetes-yaml.ts';
import { megabytes } from './megabytes.ts';

/** A parsed document. Lists are taken apart by the reader of objects. */
export interface YamlDocument {
  readonly value: unknown;
  /** `file:line:column` of a field, or of what of its path there is. */
  placeOf(path: FieldPath): string;
}

export type FieldPath = ReadonlyArray<string | number>;

/** Far more than anyone writes by hand, far less than a bomb needs. */
const MAX_ALIASES = 100;
/** Names that reach into the prototypes of JavaScript objects. */
const FORBIDDEN_KEY = '__proto__';
/** What the parser would only warn of is refused below. */
const READ = { ...KUBERNETES_YAML, uniqueKeys: true, logLevel: 'error' } as const;
/** YAML's parser keeps a tree of about a hundred times the text; larger files must be JSON, which needs none. */
const MAX_YAML_BYTES = 16 * 1024 * 1024;
/** From here on JSON is read as such, at a tenth of the time; a key that stands twice is then not noticed. */
const LARGE_JSON_BYTES = 1024 * 1024;

/**
 * The documents of a file that hold anything.
 * @throws InputError with file, line and column where it does not parse, has a key twice, too many aliases or a forbidden key
 */
export function readDocuments(file: InputFile): YamlDocument[] {
  const { path, text } = file;
  if (text.length >= LARGE_JSON_BYTES && !text.includes(FORBIDDEN_KEY)) {
    const value = jsonValue(text);
    if (value !== undefined) return [{ value, placeOf: () => path }];
  }
  if (text.length > MAX_YAML_BYTES) {
    throw new InputError(
      `${path}: it has ${megabytes(text.length)} MB, more than the ${megabytes(MAX_YAML_BYTES)} MB a YAML file may have; split it, or give it as JSON`,
    );
  }
  try {
    return yamlDocuments(file);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new InputError(`${path}: it is nested too deeply to be read`, { cause });
  }
}

/** Undefined where the text is no JSON of an object or a list. */
function jsonValue(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Trees are let go document by document; the first who asks for a place has that document parsed again. */
function yamlDocuments({ path, text }: InputFile): YamlDocument[] {
  const lines = new LineCounter();
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  const problems: string[] = [];
  const documents: YamlDocument[] = [];
  const parser = new Parser(lines.addNewLine);
  const composer = new Composer(READ);
  for (const document of composer.compose(parser.parse(text), false, text.length)) {
    const [error] = document.errors;
    if (error !== undefined) problems.push(`${place(error.pos[0])}: ${parseProblem(error.message)}`);
    if (problems.length > 0) continue;
    refuseBadNames(document, place);
    const value = toValue(document, place);
    if (value === null || value === undefined) continue;
    const [start, , end] = document.range;
    let again: Document | undefined;
    const placeOf = (field: FieldPath): string => {
      again ??= parseDocument(text.slice(start, end), READ);
      return place(start + offsetOf(again, field));
    };
    documents.push({ value, placeOf });
  }
  if (problems.length > 0) throw inputError(problems);
  return documents;
}

/** The first thing wrong with a document; what follows is mostly its consequence. The parser tells of a full stack as if it were syntax. */
function parseProblem(message: string): string {
  return /call stack|Stack overflow/.test(message) ? 'it is nested too deeply to be read' : message;
}

function toValue(document: Document.Parsed, place: (offset: number) => string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    throw new InputError(aliasProblem(document, cause, place), { cause });
  }
}

/** The parser refuses aliases only here: those of anchors that are not in the document, and too many. */
function aliasProblem(document: Document.Parsed, cause: unknown, place: (offset: number) => string): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const [, name] = /^Unresolved alias .*: (.*)$/.exec(message) ?? [];
  if (name === undefined)
    return `${place(document.range[0])}: ${message} (at most ${MAX_ALIASES} aliases are taken); write the values out`;
  let offset = document.range[0];
  visit(document, {
    Alias(_position, alias) {
      if (alias.source !== name) return undefined;
      offset = alias.range?.[0] ?? offset;
      return visit.BREAK;
    },
  });
  return `${place(offset)}: *${name} stands for an anchor &${name} that is not before it in the same document; write the values out`;
}

/** Names that reach into prototypes, and collections as names, of which unrendered templates such as `{{ .Values.name }}` consist. */
function refuseBadNames(document: Document, place: (offset: number) => string): void {
  visit(document, {
    Pair(_position, { key }) {
      const problem = nameProblem(key);
      if (problem === undefined) return;
      throw new InputError(`${place(isNode(key) ? (key.range?.[0] ?? 0) : 0)}: ${problem}`);
    },
  });
}

function nameProblem(key: unknown): string | undefined {
  if (isCollection(key)) return 'the name of a field must be text, got a list or an object; render a template first';
  const name = isNode(key) && 'value' in key ? key.value : key;
  return name === FORBIDDEN_KEY ? `${FORBIDDEN_KEY} is not allowed as the name of a field; remove it` : undefined;
}

/** Where a field stands, or the nearest thing around it that is there. */
function offsetOf(document: Document, path: FieldPath): number {
  for (let length = path.length; length > 0; length -= 1) {
    const around = document.getIn(path.slice(0, length - 1), true);
    const last = path[length - 1];
    if (isMap(around)) {
      const pair = around.items.find(({ key }) => isNode(key) && 'value' in key && key.value === last);
      if (pair !== undefined && isNode(pair.key) && pair.key.range) return pair.key.range[0];
    }
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}
