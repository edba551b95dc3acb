/** Notes on a KubernetesCluster or on Settings: what somebody approved, and who changed the object last. */

/** The digest of the held deletions that may go: of these and no others. */
export const APPROVE_ANNOTATION = 'meshrelay.dev/approve';
/** Who made the last change that is audited. */
export const CHANGED_BY_ANNOTATION = 'meshrelay.dev/changed-by';
/** Follows that change through the audit log. */
export const REQUEST_ANNOTATION = 'meshrelay.dev/request-id';
