/** Code names in comments and documents: between backticks, and in fenced code. */

const CODE_FILE = /\.[mc]?[jt]s$/;

/** @param names those with one new name for all declarations */
export function rewriteNames(text: string, file: string, names: ReadonlyMap<string, string>): string {
  if (names.size === 0) return text;
  if (CODE_FILE.test(file))
    return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => inBackticks(comment, names));
  if (!file.endsWith('.md') || /(?:^|\/)\.changeset\//.test(file)) return text;
  return inBackticks(
    text.replace(/^```(?:ts|js|typescript)\n[\s\S]*?^```/gm, (code) => replaceWords(code, names)),
    names,
  );
}

function inBackticks(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/(?<!`)`(?!`)[^`\n]+`(?!`)/g, (code) => {
    const whole = code.slice(1, -1);
    return `\`${names.get(whole) ?? replaceWords(whole, names)}\``;
  });
}

/**
 * Whole identifiers; not those within a path, a string or a comment. A single-word name only as a member or in a call.
 */
function replaceWords(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(
    /\/\/.*|(?<![\w$/'"-])[A-Za-z_$][\w$]*(?![\w$/'"-]|\.(?:ts|md|ya?ml|json)\b)/g,
    (word, at: number) => {
      const name = names.get(word);
      if (name === undefined) return word;
      const isCompound = /[A-Z]/.test(word);
      return isCompound || text.charAt(at + word.length) === '(' || /\w\.$/.test(text.slice(0, at)) ? name : word;
    },
  );
}
