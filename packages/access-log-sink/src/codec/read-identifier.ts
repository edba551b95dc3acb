/** Identity that a proxy reports in the first message of a stream. Its 500 extensions are skipped. */
import type { Buffer } from 'node:buffer';
import type { ReportedNode } from '../attribution/reporter.ts';
import { WireReader } from '../wire/wire-reader.ts';

/** Maximum characters of each text: it is shown to people and not trusted. */
const MAX_IDENTIFIER_BYTES = 256;

const reader = new WireReader();

/**
 * Node and log name of StreamAccessLogsMessage.Identifier; StreamMetricsMessage.Identifier is the same without a log
 * name.
 * @throws WireError if the bytes are not an identifier
 */
export function readIdentifier(
  bytes: Buffer,
  from: number,
  to: number,
): { readonly node: ReportedNode; readonly logName: string } {
  let node: ReportedNode = { id: '', cluster: '' };
  let logName = '';
  reader.open(bytes, from, to);
  try {
    while (reader.pos < reader.end) {
      const tag = reader.uint32();
      if (tag === 10) node = readNode();
      else if (tag === 18) logName = shortText();
      else reader.skip(tag);
    }
    return { node, logName };
  } finally {
    reader.close();
  }
}

/** core.v3.Node. */
function readNode(): ReportedNode {
  let id = '';
  let cluster = '';
  const outer = reader.enter();
  while (reader.pos < reader.end) {
    const tag = reader.uint32();
    if (tag === 10) id = shortText();
    else if (tag === 18) cluster = shortText();
    else reader.skip(tag);
  }
  reader.leave(outer);
  return { id, cluster };
}

function shortText(): string {
  return reader.text().slice(0, MAX_IDENTIFIER_BYTES);
}
