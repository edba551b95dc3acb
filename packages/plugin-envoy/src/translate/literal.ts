/** Texts in expressions. */

/** An expression that matches just this text. */
export function literal(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}
