/** Kubernetes objects in files: splits Lists, decodes Meshrelay kinds, and rejects duplicates. */
import { decodeObject, isMeshrelayApiVersion, type KubeObject } from '@meshrelay/api';
import { groupOf, type Key, kindKey, type ResourceKind, refuseTooDeep } from '@meshrelay/relay-core';
import { InputError, inputError } from '../problem.ts';
import { type FieldPath, type InputFile, readDocuments, type YamlDocument } from './documents.ts';

/** Two per nested List; deeper nesting is a mistake. */
const MAX_STEPS = 32;

interface Located {
  /** The path from the user: a file, or the folder that contains it. */
  readonly given: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly path: FieldPath;
  readonly document: YamlDocument;
}

/** kubectl's namespace for objects without one. */
const DEFAULT_NAMESPACE = 'default';

/** A file, with the path from the user: the file's own, or that of a folder around it. */
export interface GivenFile extends InputFile {
  readonly given: string;
}

/**
 * The objects of one cluster's files: Meshrelay kinds, and kinds that some reader uses. All others are ignored,
 * whatever they contain.
 * @param nothingIn called with each given path whose objects were all ignored
 * @throws InputError for a document that is not an object, an object that violates its schema, or a duplicate
 */
export function objectsIn(
  files: readonly GivenFile[],
  kinds: readonly ResourceKind[],
  nothingIn: (given: string) => void = () => {},
): KubeObject[] {
  const read = new Map(kinds.map((kind) => [kindKey(kind), kind]));
  const located = files.flatMap((file) =>
    readDocuments(file).flatMap((document) => takeApart(document.value, { given: file.given, path: [], document })),
  );
  const problems: string[] = [];
  const first = new Map<string, Located>();
  const objects: KubeObject[] = [];
  const ignored = new Set(files.map(({ given }) => given));
  for (const one of located) {
    const object = readObject(one, read, problems);
    if (object === undefined) continue;
    const { name, namespace = '' } = object.metadata;
    const id = JSON.stringify([groupOf(object.apiVersion), object.kind, namespace, name]);
    const before = first.get(id);
    if (before === undefined) first.set(id, one);
    else problems.push(twice(object, one, before));
    objects.push(object);
    ignored.delete(one.given);
  }
  if (problems.length > 0) throw inputError(problems);
  ignored.forEach(nothingIn);
  return objects;
}

function twice(object: KubeObject, one: Located, before: Located): string {
  return `${placeOf(one)}: ${titleOf(object)} is defined twice (first at ${placeOf(before)}); remove one of them`;
}

/** Such as `TrafficPolicy meshrelay/canary`, from the known fields. */
function titleOf({ kind, metadata }: { readonly kind?: unknown; readonly metadata?: unknown }): string {
  const { name, namespace } = (metadata ?? {}) as { readonly name?: unknown; readonly namespace?: unknown };
  if (typeof name !== 'string') return String(kind);
  return typeof namespace === 'string' ? `${kind} ${namespace}/${name}` : `${kind} ${name}`;
}

function placeOf({ document, path }: Pick<Located, 'document' | 'path'>, field: FieldPath = []): string {
  return document.placeOf([...path, ...field]);
}

/** The items of a List, each with its position; any other value unchanged. */
function takeApart(value: unknown, place: Omit<Located, 'value'>): Located[] {
  const { path, document } = place;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InputError(`${document.placeOf(path)}: expected a Kubernetes object with apiVersion, kind and metadata`);
  }
  if (path.length > MAX_STEPS)
    throw new InputError(`${document.placeOf(path)}: lists are nested too deeply; give the objects in one`);
  const { kind, items } = value as { kind?: unknown; items?: unknown };
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
    return items.flatMap((item: unknown, position) =>
      takeApart(item, { ...place, path: [...path, 'items', position] }),
    );
  }
  return [{ ...place, value: value as Readonly<Record<string, unknown>> }];
}

function readObject(one: Located, kinds: ReadonlyMap<Key, ResourceKind>, problems: string[]): KubeObject | undefined {
  const { apiVersion, kind, metadata } = one.value;
  const title = titleOf(one.value);
  const wrong = (field: FieldPath, message: string) => {
    problems.push(`${placeOf(one, field)}: ${message}`);
    return undefined;
  };
  if (typeof apiVersion !== 'string') return wrong(['apiVersion'], 'apiVersion is required and must be a string');
  if (typeof kind !== 'string') return wrong(['kind'], 'kind is required and must be a string');
  if (isMeshrelayApiVersion(apiVersion)) {
    const decoded = decodeObject(one.value);
    if (decoded.object !== undefined) return inNamespace(decoded.object, true);
    for (const problem of decoded.problems) wrong(problem.path, `${title}: ${problem.message}`);
    return undefined;
  }
  const known = kinds.get(kindKey({ group: groupOf(apiVersion), kind }));
  if (known === undefined) return undefined;
  const tooDeep = depthProblem(one.value);
  if (tooDeep !== undefined) return wrong([], tooDeep);
  if (typeof metadata !== 'object' || metadata === null)
    return wrong(['metadata'], `${title}: metadata is required and must be an object`);
  const { name, namespace } = metadata as { name?: unknown; namespace?: unknown };
  if (typeof name !== 'string' || name === '')
    return wrong(['metadata', 'name'], `${title}: metadata.name is required and must be a string`);
  if (namespace !== undefined && typeof namespace !== 'string')
    return wrong(['metadata', 'namespace'], `${title}: metadata.namespace must be a string`);
  for (const field of ['labels', 'annotations'] as const) {
    const bad = notText((metadata as Readonly<Record<string, unknown>>)[field]);
    if (bad !== undefined)
      return wrong(
        ['metadata', field, ...bad],
        `${title}: metadata.${[field, ...bad].join('.')} must be ${bad.length === 0 ? 'an object' : 'a string; quote it'}`,
      );
  }
  return inNamespace(one.value as unknown as KubeObject, known.namespaced);
}

/** Rejects too deep nesting, as agents do. */
function depthProblem(value: Located['value']): string | undefined {
  try {
    refuseTooDeep(value as unknown as KubeObject);
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

/** The path of the first value of a map that is not a string; YAML reads unquoted numbers and booleans as such. */
function notText(map: unknown): FieldPath | undefined {
  if (map === undefined || map === null) return undefined;
  if (typeof map !== 'object' || Array.isArray(map)) return [];
  const bad = Object.entries(map).find(([, value]) => typeof value !== 'string');
  return bad === undefined ? undefined : [bad[0]];
}

function inNamespace(object: KubeObject, namespaced: boolean): KubeObject {
  if (!namespaced || (object.metadata.namespace ?? '') !== '') return object;
  return { ...object, metadata: { ...object.metadata, namespace: DEFAULT_NAMESPACE } };
}
