/** Annotations of a KubernetesCluster or of Settings: what a user approved, and who changed the object last. */

/** The digest of the held deletions that are approved: only these. */
export const APPROVE_ANNOTATION = 'meshrelay.dev/approve';
/** The user who made the last audited change. */
export const CHANGED_BY_ANNOTATION = 'meshrelay.dev/changed-by';
/** Correlates that change with the audit log. */
export const REQUEST_ANNOTATION = 'meshrelay.dev/request-id';
