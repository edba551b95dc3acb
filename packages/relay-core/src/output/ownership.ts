/** Labels and annotations of every managed object: the owner, the plugin and the source policies. */
import type { PolicyRef } from '@meshrelay/api';
import { memoizeUntilCompaction, type NativeObject } from '@meshrelay/plugin';
import { MAX_SOURCE_POLICIES, OWNER_LABEL, PLUGIN_LABEL, SOURCE_POLICIES_ANNOTATION } from '../input/managed-labels.ts';

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
