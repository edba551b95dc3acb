/** Such as `1 Secret`, `2 Secrets`, `2 policies`. */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun.replace(/y$/, 'ie')}s`}`;
}
