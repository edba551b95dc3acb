/** Labels and annotations by which the programs recognize managed objects. */
import type { KubeObject } from '@meshrelay/api';

/** Agents change and delete only objects with this label. Its value is the management namespace. */
export const OWNER_LABEL = 'meshrelay.dev/owner';
/** Names the IssuedCertificate whose Secret holds the CA of a mesh; a Secret without it is unmanaged. */
export const ISSUED_FOR_LABEL = 'meshrelay.dev/issued-certificate';
/** The plugin that translated the object. */
export const PLUGIN_LABEL = 'meshrelay.dev/plugin';
/** The agent's term at the last write of the object; it identifies writes that come too late. */
export const TERM_ANNOTATION = 'meshrelay.dev/term';
/** The source policies of the object, as JSON; at most {@link MAX_SOURCE_POLICIES} of them. */
export const SOURCE_POLICIES_ANNOTATION = 'meshrelay.dev/source-policies';
/** The maximum number of policies in the annotation. */
export const MAX_SOURCE_POLICIES = 20;

/** True if an object has the owner label of any Meshrelay installation. */
export function isManaged(object: Pick<KubeObject, 'metadata'>): boolean {
  return object.metadata.labels?.[OWNER_LABEL] !== undefined;
}
