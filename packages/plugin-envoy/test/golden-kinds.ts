/** The kinds whose fields golden cases show. */
export const GOLDEN_KINDS: readonly string[] = [
  ...['TrafficPolicy', 'AccessPolicy', 'VirtualMesh', 'VirtualDestination'],
  ...['AccessLogRecord', 'WasmDeployment', 'Settings'],
];
