/** The next action for an object that the relay rejected, by the code of the rejection. */

/** Why either end rejects an object in transit: codes of the relay, and of the server's input checks. */
export type RejectedObjectCode =
  | 'INVALID_JSON'
  | 'ENVELOPE_MISMATCH'
  | 'INVALID_SCHEMA'
  | 'CLUSTER_MISMATCH'
  | 'INVALID_NAME'
  | 'KIND_NOT_ACCEPTED'
  | 'SECRET_DATA'
  | 'OBJECT_NAME'
  | 'OBJECT_HASH'
  | 'OBJECT_MALFORMED'
  | 'OBJECT_TOO_LARGE'
  | 'OBJECT_TOO_DEEP'
  | 'CLUSTER_TOO_LARGE';

const PEER = 'run compatible versions of server and agent; if they are compatible, report it as a bug of the sender';

/** A clause each. */
const ACTIONS: Readonly<Record<RejectedObjectCode, string>> = {
  INVALID_JSON: PEER,
  ENVELOPE_MISMATCH: PEER,
  INVALID_SCHEMA: 'check that its CRD and the agent have the release of the server',
  CLUSTER_MISMATCH: 'find the other agent that runs with the credential of this cluster',
  INVALID_NAME: 'rename the object, or exclude it from discovery',
  KIND_NOT_ACCEPTED: 'create it in the management cluster',
  SECRET_DATA: 'upgrade the agent: it may send only names and hashes of Secrets',
  OBJECT_NAME: PEER,
  OBJECT_HASH: PEER,
  OBJECT_MALFORMED: PEER,
  OBJECT_TOO_LARGE: 'make it smaller, or split it',
  OBJECT_TOO_DEEP: 'nest it less deeply',
  CLUSTER_TOO_LARGE: 'delete unused objects, or split the cluster',
};

/** The next action as a clause; undefined for a code unknown to this release. */
export function rejectedObjectAction(code: string): string | undefined {
  return Object.hasOwn(ACTIONS, code) ? ACTIONS[code as RejectedObjectCode] : undefined;
}
