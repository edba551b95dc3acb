/** Paths of fields in error texts. */

/** The path of a member: `spec.replicas`; the root's path is `''`. */
export function member(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The path of a list item: `spec.ports[0]`. */
export function item(path: string, index: number): string {
  return `${path}[${index}]`;
}
