/** The server's side of xDS, without its transport: catalogs of resources, views of callers, streams. */
export { violations } from '../check/violations.ts';
export type { SecretSource, XdsCaller } from './catalog/caller.ts';
export { CallerView } from './catalog/caller-view.ts';
export { type CatalogOptions, XdsCatalog } from './catalog/catalog.ts';
export type { BadResource, CatalogProxy, ShardSpec } from './catalog/shard.ts';
export { DeltaResponses } from './delta-responses.ts';
export { DeltaStream, type DeltaStreamOptions } from './delta-stream.ts';
export { endpointsOf, referencesOf } from './references.ts';
export { namedIn, publishable, type Rejection } from './rejection.ts';
export { type Hash, resourceOf, type XdsResource, type XdsView } from './resource.ts';
export { keyText, type XdsKey } from './resource-key.ts';
export { XDS_ORDER, XDS_TYPES, type XdsType, type XdsTypeFacts, xdsTypeOf } from './resource-type.ts';
export { SotwStream } from './sotw-stream.ts';
export {
  DEFAULT_XDS_LIMITS,
  type XdsLimits,
  type XdsStream,
  XdsStreamError,
  type XdsStreamOptions,
} from './stream.ts';
