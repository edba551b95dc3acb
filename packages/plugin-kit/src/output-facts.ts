/** Objects as facts that can be searched, such as `VirtualService.spec.http.timeout = 7s`. */
import type { KubeObject } from '@meshrelay/api';
import { OWNER_LABEL, PLUGIN_LABEL, SOURCE_POLICIES_ANNOTATION } from '@meshrelay/relay-core';

/** The labels and annotations that core adds to every object. */
export const OF_CORE: ReadonlySet<string> = new Set([OWNER_LABEL, PLUGIN_LABEL, SOURCE_POLICIES_ANNOTATION]);

/** The facts of an object below these fields, without positions in lists. */
export function* factsOf({
  apiVersion: _apiVersion,
  kind,
  metadata: _metadata,
  ...body
}: KubeObject): Iterable<string> {
  yield* leavesOf(body, kind);
}

/** The labels and annotations of an object that Meshrelay does not add itself. */
export function* metadataFacts({ kind, metadata: { labels, annotations } }: KubeObject): Iterable<string> {
  for (const [field, values] of Object.entries({ labels, annotations }))
    for (const [name, value] of Object.entries(values ?? {}))
      if (!OF_CORE.has(name)) yield `${kind}.metadata.${field}.${name} = ${value}`;
}

function* leavesOf(value: unknown, path: string): Iterable<string> {
  if (Array.isArray(value)) for (const item of value) yield* leavesOf(item, path);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) yield* leavesOf(member, `${path}.${name}`);
  // Configuration may be one string of many lines.
  else for (const line of String(value).split('\n')) yield `${path} = ${line}`;
}
