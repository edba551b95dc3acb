/** Names of code in comments and documents: between backticks, and in fenced code. */

const CODE_FILE = /\.[mc]?[jt]s$/;

/** @param names those that have one new name wherever they are declared */
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
  return text.replace(/(?<!`)`(?!`)[^`\n]+`(?!`)/g, (code) => replaceWords(code, names));
}

/** Whole identifiers; not those within a path or a string. */
function replaceWords(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(
    /(?<![\w$/'"-])[A-Za-z_$][\w$]*(?![\w$/'"-]|\.(?:ts|md|ya?ml|json)\b)/g,
    (word) => names.get(word) ?? word,
  );
}
