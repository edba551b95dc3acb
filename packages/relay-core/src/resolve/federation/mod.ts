/** Which Service has a name in which other mesh, and its endpoints. */
export { type Endpoints, podEndpoints, type Reached, resolveEndpoints } from './endpoints.ts';
export { type Exported, type Federation, resolveFederation } from './federation.ts';
export { namesOfCluster } from './federation-names.ts';
