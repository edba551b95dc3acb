/** Input vectors in the form that an OutputLedger stores: `term/seq`, or `gone`, by the input's name. */
import { GONE, type InputVector, type InputVersion } from '@meshrelay/relay-protocol';

export function vectorToText(vector: InputVector): Record<string, string> {
  const entries = [...vector].map(([name, version]) => [
    name,
    version === GONE ? GONE : `${version.term}/${version.seq}`,
  ]);
  return Object.fromEntries(entries.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)));
}

/** @throws Error that names the unreadable component */
export function vectorFromText(text: Readonly<Record<string, string>>): InputVector {
  return new Map(Object.entries(text).map(([name, version]) => [name, versionFromText(name, version)]));
}

function versionFromText(name: string, text: string): InputVersion | typeof GONE {
  if (text === GONE) return GONE;
  const [, term, seq] = /^(\d{1,15})\/(\d{1,15})$/.exec(text) ?? [];
  if (term === undefined || seq === undefined)
    throw new Error(
      `inputVector[${name}]: expected TERM/SEQ or "gone", found ${JSON.stringify(text)}; delete the entry`,
    );
  return { term: Number(term), seq: Number(seq) };
}
