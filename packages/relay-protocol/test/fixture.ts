/** The final content of a test's server or agent: objects by id. */
import type { ObjectRejection } from '../src/message.ts';
import { type ObjectEnvelope, type ObjectKey, objectId } from '../src/object/envelope.ts';
import type { ObjectTable } from '../src/object/object-table.ts';

export class TestFixture {
  readonly objects: Map<string, string> = new Map();
  /** Hashes that are rejected. */
  readonly bad: Set<string> = new Set();
  upserted = 0;
  deleted = 0;

  take({ upserts, deletes }: { upserts: readonly ObjectEnvelope[]; deletes: readonly ObjectKey[] }): ObjectRejection[] {
    const refused: ObjectRejection[] = [];
    for (const envelope of upserts) {
      this.upserted++;
      if (this.bad.has(envelope.hash)) {
        refused.push({ key: envelope, hash: envelope.hash, code: 'BAD', reason: 'bad' });
      } else this.objects.set(objectId(envelope), envelope.hash);
    }
    for (const key of deletes) {
      this.deleted++;
      this.objects.delete(objectId(key));
    }
    return refused;
  }

  /** Sorted, for comparisons. */
  content(): string[] {
    return [...this.objects].map(([id, hash]) => `${id}=${hash}`).sort();
  }
}

/** The content of a table in the same form. */
export function contentOf(table: ObjectTable): string[] {
  const entries: string[] = [];
  for (const kind of table.content.kinds()) {
    const id = `${kind.group}/${kind.version}/${kind.kind}`;
    for (const [entry, { hash }] of table.content.entries(id)) entries.push(`${id}/${entry}=${hash}`);
  }
  return entries.sort();
}
