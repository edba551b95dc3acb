/** YAML documents with the places their fields stand at. */
import { type Document, isMap, isNode, LineCounter, parseAllDocuments, visit } from 'yaml';
import { InputError, inputError } from '../problem.ts';
import type { InputFile } from './files.ts';

/** A parsed document. Lists are taken apart by the reader of objects. */
export interface YamlDocument {
  readonly value: unknown;
  /** `file:line:column` of a field, or of what of its path there is. */
  placeOf(path: ReadonlyArray<string | number>): string;
}

/** Far more than anyone writes by hand, far less than a bomb needs. */
const MAX_ALIASES = 100;
/** Names that reach into the prototypes of JavaScript objects. */
const FORBIDDEN_KEY = '__proto__';

/**
 * The documents of a file that hold anything.
 * @throws InputError with file, line and column where it does not parse, has a key twice, too many aliases or a forbidden key
 */
export function readDocuments({ path, text }: InputFile): YamlDocument[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  if (!Array.isArray(documents)) return [];
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  const problems = documents.flatMap((document) =>
    document.errors.map(({ pos, message }) => `${place(pos[0])}: ${message}`),
  );
  if (problems.length > 0) throw inputError(problems);
  if (text.includes(FORBIDDEN_KEY)) refuseForbiddenKeys(documents, place);
  return documents.flatMap((document) => {
    const value = toValue(document, path);
    if (value === null || value === undefined) return [];
    return [{ value, placeOf: (field) => place(offsetOf(document, field)) }];
  });
}

function toValue(document: Document, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    throw new InputError(
      `${path}: ${cause instanceof Error ? cause.message : String(cause)} (at most ${MAX_ALIASES} aliases); write the values out`,
      { cause },
    );
  }
}

function refuseForbiddenKeys(documents: readonly Document[], place: (offset: number) => string): void {
  for (const document of documents) {
    visit(document, {
      Pair(_position, { key }) {
        const name = isNode(key) && 'value' in key ? key.value : key;
        if (name !== FORBIDDEN_KEY) return;
        const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0;
        throw new InputError(`${place(offset)}: ${FORBIDDEN_KEY} is not allowed as the name of a field; remove it`);
      },
    });
  }
}

/** Where a field stands, or the nearest thing around it that is there. */
function offsetOf(document: Document, path: ReadonlyArray<string | number>): number {
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
