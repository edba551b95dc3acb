/** Documents of YAML and JSON files, with the positions of their fields. */
import { Composer, type Document, isCollection, isMap, isNode, LineCounter, Parser, parseDocument, visit } from 'yaml';
import { InputError, inputError } from '../problem.ts';
import { KUBERNETES_YAML } from './kubernetes-yaml.ts';
import { megabytes } from './megabytes.ts';

/** A file that was read. */
export interface InputFile {
  readonly path: string;
  readonly text: string;
}

/** A parsed document. The reader of objects splits Lists. */
export interface YamlDocument {
  readonly value: unknown;
  /** `file:line:column` of a field, or of the last existing part of its path. */
  placeOf(path: FieldPath): string;
}

export type FieldPath = ReadonlyArray<string | number>;

/** More than anyone writes by hand, and too few for a YAML bomb. */
const MAX_ALIASES = 100;
/** Names that reach into the prototypes of JavaScript objects. */
const FORBIDDEN_KEY = '__proto__';
/** The code below rejects the inputs that the parser would only warn about. */
const READ = { ...KUBERNETES_YAML, uniqueKeys: true, logLevel: 'error' } as const;
/**
 * The YAML parser's tree needs about a hundred times the size of the text; larger files must be JSON, which needs no
 * tree.
 */
const MAX_YAML_BYTES = 16 * 1024 * 1024;
/** Larger files are parsed as JSON, in a tenth of the time, but without detection of duplicate keys. */
const LARGE_JSON_BYTES = 1024 * 1024;

/**
 * The documents of a file that are not empty.
 * @throws InputError with file, line and column for a syntax error, a duplicate key, too many aliases or a forbidden
 * key
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

/** Undefined if the text is not a JSON object or list. */
function jsonValue(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Trees are released document by document; the first request for a position parses that document again. */
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

/**
 * The first error of a document; later ones are mostly its consequence. The parser reports a stack overflow as a syntax
 * error.
 */
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

/** The parser rejects aliases only here: those without an anchor in the document, and too many. */
function aliasProblem(document: Document.Parsed, cause: unknown, place: (offset: number) => string): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const [, name] = /^Unresolved alias .*: (.*)$/.exec(message) ?? [];
  if (name === undefined)
    return `${place(document.range[0])}: ${message} (at most ${MAX_ALIASES} aliases are allowed); write the values out`;
  let offset = document.range[0];
  visit(document, {
    Alias(_position, alias) {
      if (alias.source !== name) return undefined;
      offset = alias.range?.[0] ?? offset;
      return visit.BREAK;
    },
  });
  return `${place(offset)}: *${name} refers to anchor &${name}, which the document does not define before it; write the values out`;
}

/**
 * Rejects keys that reach into prototypes, and keys that are collections, as in unrendered templates such as
 * `{{ .Values.name }}`.
 */
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

/** The position of a field, or of its closest existing parent. */
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
