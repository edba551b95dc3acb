/** Serial numbers that follow from what they number. */
import { createHash } from 'node:crypto';

/** A UUID of version 8, whose bits are free. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
