/** Searches places for markers. */
import { Buffer } from 'node:buffer';
import type { CanaryLocation } from './places.ts';

/** Where a marker occurs, plain or in base64, in any of its three alignments. Names the place, never the marker. */
export function leaks(markers: Iterable<string>, places: readonly CanaryLocation[]): string[] {
  const forms = [...new Set(markers)].flatMap((marker) => [marker, ...encoded(marker)]);
  return places.flatMap(({ name, text }) => {
    const found = forms.filter((form) => text.includes(form)).length;
    return found === 0 ? [] : [`${name} holds ${found} secrets`];
  });
}

/** The part of the encoding that is independent of the text before and after it. */
function encoded(marker: string): string[] {
  return [0, 1, 2].map((offset) => {
    const text = Buffer.from(' '.repeat(offset) + marker).toString('base64');
    return text.slice(Math.ceil((offset * 8) / 6), -4);
  });
}
