/** Fields of users' objects that policies request to change, as a table. */
import type { ExplainedPatch } from '@meshrelay/relay-core';
import { tableSection } from './sections.ts';
import { outputText, policiesText } from './words.ts';

export function patchLines(patches: readonly ExplainedPatch[]): readonly string[] {
  return tableSection(
    'Patched fields of your objects',
    ['OBJECT', 'FIELD', 'DESIRED', 'CURRENT', 'ALLOWED BY', 'POLICIES'],
    patches.map((patch) => [
      outputText(patch.object),
      patch.fieldPath,
      'set' in patch.operation
        ? JSON.stringify(patch.operation.set)
        : `including ${patch.operation.include.join(', ')}`,
      patch.current === undefined ? '' : patch.current === null ? 'not set' : JSON.stringify(patch.current),
      consentText(patch),
      policiesText(patch.from),
    ]),
  );
}

function consentText({ consent, consented, sent }: ExplainedPatch): string {
  if (!consented) return `nothing: set ${consent} in Settings`;
  return sent ? `${consent} in Settings` : `${consent} in Settings; another value has the field`;
}
