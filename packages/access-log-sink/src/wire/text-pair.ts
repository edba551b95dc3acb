/** A name and a value: entries of text maps, labels of metrics. */
import type { WireReader } from './wire-reader.ts';

/** Reads the next message: texts in its fields 1 and 2. @throws WireError if it is not such a message */
export function readTextPair(r: WireReader): [name: string, value: string] {
  let name = '';
  let value = '';
  const outer = r.enter();
  while (r.pos < r.end) {
    const tag = r.uint32();
    if (tag === 10) name = r.commonText();
    else if (tag === 18) value = r.commonText();
    else r.skip(tag);
  }
  r.leave(outer);
  return [name, value];
}
