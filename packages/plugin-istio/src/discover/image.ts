/** Parses image references. */

/** The last part of the path without tag and digest: `pilot` for `docker.io/istio/pilot:1.30.0`. */
export function imageName(image: string): string {
  const path = image.split('@', 1)[0] ?? '';
  const last = path.slice(path.lastIndexOf('/') + 1);
  return last.split(':', 1)[0] ?? '';
}

/** The tag, or undefined if the reference has none. */
export function imageTag(image: string): string | undefined {
  const path = image.split('@', 1)[0] ?? '';
  const last = path.slice(path.lastIndexOf('/') + 1);
  const colon = last.indexOf(':');
  return colon < 0 ? undefined : last.slice(colon + 1);
}
