// spec.policy.mirror

import type { SpecField } from '../../schema/field.ts';
import { object } from '../../schema/object.ts';
import { percentage, port } from '../../schema/scalar.ts';
import { type ClusterObjectRef, clusterObjectRef } from '../../shared/ref.ts';

/** Sends a copy of each request to a second Service; proxies discard the responses to copies. */
export interface Mirror {
  readonly kubeService: ClusterObjectRef;
  /** Percent of the requests, 0 to 100. Default: 100. */
  readonly percentage?: number;
  /** Required when the Service has more than one port. */
  readonly port?: number;
}

export const mirror: SpecField<Mirror> = {
  schema: object<Mirror>('Mirror', {
    required: { kubeService: clusterObjectRef },
    optional: { percentage, port },
  }),
  defaults: { percentage: 100 },
  examples: [
    { kubeService: { name: 'reviews-next', namespace: 'shop', clusterName: 'cluster-1' }, percentage: 10, port: 9080 },
  ],
};
