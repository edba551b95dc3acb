/** Reasons that several rows of the capability table share. */
export const NO_API: { readonly unsupported: string } = { unsupported: 'OSM has no API for it' };
export const ONE_CLUSTER: { readonly unsupported: string } = {
  unsupported: 'OSM knows the workloads of its own cluster only',
};
