// Former names of fields: an object that still has one is rejected with the new name.

/** New names by former names, by interface. */
export const RENAMED_FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AppliedFederation: { withheldFromMeshes: 'notFederatedToMeshes' },
  KubernetesClusterStatus: {
    firstSyncTime: 'firstSyncTime',
    held: 'heldDeletions',
    lastConnectedTime: 'lastConnectedTime',
  },
  LedgerCluster: { firstSyncTime: 'firstSyncTime' },
  PatchedField: { prior: 'previousValue', wrote: 'appliedValues' },
  XdsAckStatus: { seenAt: 'observedTime' },
  XdsConfigStatus: { refused: 'nacked', uptake: 'ackStatus' },
  XdsNacks: { seenAt: 'observedTime' },
};
