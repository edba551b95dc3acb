// Former names of fields: an object that still has one is rejected with the new name.

/** New names by former names, by interface. */
export const RENAMED_FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AppliedFederation: { withheldFromMeshes: 'notFederatedToMeshes' },
  KubernetesClusterStatus: {
    firstSyncedAt: 'firstSyncTime',
    held: 'heldDeletions',
    lastHeardAt: 'lastConnectedTime',
  },
  LedgerCluster: { firstSyncedAt: 'firstSyncTime' },
  PatchedField: { prior: 'previousValue', wrote: 'appliedValues' },
  XdsAckStatus: { seenAt: 'observedTime' },
  XdsConfigStatus: { refused: 'nacked', uptake: 'ackStatus' },
  XdsNacks: { seenAt: 'observedTime' },
};
