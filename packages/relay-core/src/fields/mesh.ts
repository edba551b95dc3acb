/** `spec` of a VirtualMesh. */

/** Each capability with the path in the policy that reports name. */
export const MESH_CAPABILITIES = {
  'mesh.federation.gateway': 'spec.federation',
  'mesh.federation.flatNetwork': 'spec.federation.flatNetwork',
  'mesh.federation.tcpKeepalive': 'spec.federation.tcpKeepalive',
  'mesh.globalAccess': 'spec.globalAccessPolicy',
  'mesh.strictMtls': 'spec.mtlsConfig.strict',
  'mesh.trust.shared': 'spec.mtlsConfig.shared',
  'mesh.trust.limited': 'spec.mtlsConfig.limited',
} as const;
