/** Values that a mesh expresses in another way than they are, with the author's reasons. */

/** By the beginnings of places, such as `translateEndpoints endpoints.*.locality`, the reason of each. */
export interface Excused {
  readonly reasons: Readonly<Record<string, string>>;
  /** The places that were excused so far. */
  readonly used: Set<string>;
}

export function excusedBy(reasons: Readonly<Record<string, string>> = {}): Excused {
  return { reasons, used: new Set() };
}

/** Whether the author gives a reason for the place. */
export function excuseFor({ reasons, used }: Excused, place: string): boolean {
  const beginning = Object.keys(reasons).find((one) => place.startsWith(one));
  if (beginning !== undefined) used.add(beginning);
  return beginning !== undefined;
}

/** @throws Error naming the reasons that nothing needs */
export function refuseIdleExcuses({ reasons, used }: Excused): void {
  const idle = Object.keys(reasons).filter((one) => !used.has(one));
  if (idle.length > 0) throw new Error(`"excused" has reasons that nothing needs; remove them: ${idle.join(', ')}`);
}
