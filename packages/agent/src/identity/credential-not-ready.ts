/**
 * Reason why no certificate is available yet, without any secret. Not a fault: registration may still be in progress.
 */
export class Waiting extends Error {
  override readonly name = 'Waiting';
}
