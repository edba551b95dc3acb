/** Kubernetes objects out of files: taken apart, decoded where they are ours, and nothing twice. */
import { decodeObject, isOurApiVersion, type KubeObject } from '@meshrelay/api';
import { groupOf } from '@meshrelay/relay-core';
import { InputError, inputError } from '../problem.ts';
import { readDocuments, type YamlDocument } from './documents.ts';
import { readInputFiles } from './files.ts';

type FieldPath = ReadonlyArray<string | number>;

interface Located {
  readonly value: unknown;
  readonly path: FieldPath;
  readonly document: YamlDocument;
}

/**
 * The objects of one cluster's files.
 * @throws InputError where a file cannot be read, a document is no object, an object of ours has a wrong shape, or one stands twice
 */
export function readObjects(paths: readonly string[]): KubeObject[] {
  const located = paths
    .flatMap((path) => readInputFiles(path).flatMap(readDocuments))
    .flatMap((document) => takeApart({ value: document.value, path: [], document }));
  const problems: string[] = [];
  const seen = new Map<string, string>();
  const objects: KubeObject[] = [];
  for (const one of located) {
    const object = readObject(one, problems);
    if (object === undefined) continue;
    const place = one.document.placeOf(one.path);
    const { name, namespace = '' } = object.metadata;
    const id = JSON.stringify([groupOf(object.apiVersion), object.kind, namespace, name]);
    const first = seen.get(id);
    if (first !== undefined)
      problems.push(
        `${place}: ${object.kind} ${namespace === '' ? name : `${namespace}/${name}`} stands here a second time (first at ${first}); remove one of them`,
      );
    seen.set(id, first ?? place);
    objects.push(object);
  }
  if (problems.length > 0) throw inputError(problems);
  return objects;
}

/** The items of a List, each with its place; anything else as it is. */
function takeApart(one: Located): Located[] {
  const { value, path, document } = one;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InputError(`${document.placeOf(path)}: expected a Kubernetes object with apiVersion, kind and metadata`);
  }
  const { kind, items } = value as { kind?: unknown; items?: unknown };
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [one];
  return items.flatMap((item: unknown, position) =>
    takeApart({ value: item, path: [...path, 'items', position], document }),
  );
}

function readObject({ value, path, document }: Located, problems: string[]): KubeObject | undefined {
  const { apiVersion, kind, metadata } = value as {
    apiVersion?: unknown;
    kind?: unknown;
    metadata?: { name?: unknown; namespace?: unknown };
  };
  const wrong = (field: FieldPath, message: string) => {
    problems.push(`${document.placeOf([...path, ...field])}: ${message}`);
    return undefined;
  };
  if (typeof apiVersion !== 'string') return wrong(['apiVersion'], 'apiVersion is required and must be a string');
  if (typeof kind !== 'string') return wrong(['kind'], 'kind is required and must be a string');
  if (isOurApiVersion(apiVersion)) {
    const decoded = decodeObject(value);
    if (decoded.object !== undefined) return decoded.object;
    for (const problem of decoded.problems) wrong(problem.path, `${kind}: ${problem.message}`);
    return undefined;
  }
  if (typeof metadata?.name !== 'string' || metadata.name === '')
    return wrong(['metadata', 'name'], `${kind}: metadata.name is required and must be a string`);
  if (metadata.namespace !== undefined && typeof metadata.namespace !== 'string')
    return wrong(['metadata', 'namespace'], `${kind}: metadata.namespace must be a string`);
  return value as KubeObject;
}
