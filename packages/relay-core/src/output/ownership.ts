/** Labels and annotations of every managed object: the owner, the plugin and the source policies. */
import type { KubeObject, PolicyRef } from '@meshrelay/api';
import type { NativeObject } from '../plugin/contract.ts';
import { memoizeUntilCompaction } from '../plugin/memoize.ts';

/** Agents change and delete only objects with this label. Its value is the management namespace. */
export const OWNER_LABEL = 'meshrelay.dev/owner';
/** Names the IssuedCertificate whose Secret holds the CA of a mesh; a Secret without it is unmanaged. */
export const ISSUED_FOR_LABEL = 'meshrelay.dev/issued-certificate';
/** The plugin that translated the object. */
export const PLUGIN_LABEL = 'meshrelay.dev/plugin';
/** The agent's term at the last write of the object; it identifies writes that come too late. */
export const TERM_ANNOTATION = 'meshrelay.dev/term';
/** The source policies of the object, as JSON; at most {@link MAX_SOURCE_POLICIES} of them. */
export const SOURCE_POLICIES_ANNOTATION = 'meshrelay.dev/because';
/** The maximum number of policies in the annotation. */
export const MAX_SOURCE_POLICIES = 20;

/** The object with managed labels and annotations. They replace what a plugin set under the same names. */
export function owned(
  object: NativeObject,
  owner: string,
  plugin: string,
  sourcePolicies: readonly PolicyRef[],
): NativeObject {
  const { labels, annotations, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...labels, [OWNER_LABEL]: owner, [PLUGIN_LABEL]: plugin },
      ...(sourcePolicies.length === 0
        ? annotations === undefined
          ? {}
          : { annotations }
        : {
            annotations:
              annotations === undefined
                ? sourcePolicyAnnotations(sourcePolicies)
                : { ...annotations, ...sourcePolicyAnnotations(sourcePolicies) },
          }),
    },
  };
}

/** The same annotations object for the same policies. */
const sourcePolicyAnnotations = memoizeUntilCompaction(
  (sourcePolicies: readonly PolicyRef[]): Readonly<Record<string, string>> => {
    return { [SOURCE_POLICIES_ANNOTATION]: `[${sourcePolicies.slice(0, MAX_SOURCE_POLICIES).map(refText).join(',')}]` };
  },
);

const refText = memoizeUntilCompaction((ref: PolicyRef) => JSON.stringify(ref));

/** True if an object has the owner label of any Meshrelay installation. */
export function isManaged(object: Pick<KubeObject, 'metadata'>): boolean {
  return object.metadata.labels?.[OWNER_LABEL] !== undefined;
}
