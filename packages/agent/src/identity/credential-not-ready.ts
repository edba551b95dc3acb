/**
 * The agent has no certificate or token yet; the message says what is missing and contains no secret. This is expected
 * while a cluster is being registered.
 */
export class CredentialNotReady extends Error {
  override readonly name = 'CredentialNotReady';
}
