/** Versions of objects as numbers. */

/** A resourceVersion as a number; 0 without one. Kubernetes lets clients compare those of one kind. */
export function versionNumber(resourceVersion: string | undefined): number {
  const number = Number(resourceVersion ?? 0);
  return Number.isSafeInteger(number) ? number : 0;
}
