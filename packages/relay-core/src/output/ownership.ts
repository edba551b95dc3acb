/** The marks on everything we write: whose it is, which plugin made it, for which policies. */
import type { KubeObject, PolicyRef } from '@meshrelay/api';
import type { NativeObject } from '../plugin/contract.ts';
import { memoizeUntilCompaction } from '../plugin/memoize.ts';

/** Only objects with this label are ever changed or deleted. Its value is the management namespace. */
export const OWNER_LABEL = 'meshrelay.dev/owner';
/** Names the IssuedCertificate that the Secret with the CA of a mesh was written for; a Secret without it belongs to somebody else. */
export const ISSUED_FOR_LABEL = 'meshrelay.dev/issued-certificate';
/** The plugin that translated the object. */
export const PLUGIN_LABEL = 'meshrelay.dev/plugin';
/** The agent's term when the object was written last: which writes come too late is told by it. */
export const TERM_ANNOTATION = 'meshrelay.dev/term';
/** The policies the object is there for, as JSON; at most {@link MAX_SOURCE_POLICIES} of them. */
export const SOURCE_POLICIES_ANNOTATION = 'meshrelay.dev/because';
/** How many policies the annotation names. */
export const MAX_SOURCE_POLICIES = 20;

/** The object with our marks. What a plugin set under the same names is replaced. */
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

/** The very annotations for the same policies. */
const sourcePolicyAnnotations = memoizeUntilCompaction(
  (sourcePolicies: readonly PolicyRef[]): Readonly<Record<string, string>> => {
    return { [SOURCE_POLICIES_ANNOTATION]: `[${sourcePolicies.slice(0, MAX_SOURCE_POLICIES).map(refText).join(',')}]` };
  },
);

const refText = memoizeUntilCompaction((ref: PolicyRef) => JSON.stringify(ref));

/** True where an object carries our mark, whichever installation of ours wrote it. */
export function isManaged(object: Pick<KubeObject, 'metadata'>): boolean {
  return object.metadata.labels?.[OWNER_LABEL] !== undefined;
}
