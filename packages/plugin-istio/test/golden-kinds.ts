/** The kinds whose fields golden cases cover. */
export const GOLDEN_KINDS: readonly string[] = [
  ...['TrafficPolicy', 'AccessPolicy', 'VirtualMesh', 'VirtualDestination', 'Workspace', 'WorkspaceSettings'],
  ...['AccessLogRecord', 'WasmDeployment', 'Settings'],
];
