/** What stands in the way of a certificate, said without any secret. Not a fault: registration may still be under way. */
export class Waiting extends Error {
  override readonly name = 'Waiting';
}
