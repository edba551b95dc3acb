/** Examples of the playground: the changes of the sample fleet that the task pages show. */
import { parseAllDocuments } from 'yaml';

/** An example. */
export interface Change {
  /** Title of its page: `Shift traffic to a new version`. */
  readonly page: string;
  /** Its file there: `reviews-canary.yaml`. */
  readonly name: string;
  readonly text: string;
  /** Its first policy, as the argument of `meshctl explain`. */
  readonly subject: string;
}

/** The YAML examples of a page that begin with the name of their file. Marked mistakes are not among them. */
export function changesOn(page: string, markdown: string): Change[] {
  return [...markdown.matchAll(/^```yaml\n# (\S+\.yaml)\n([\s\S]*?)^```$/gm)].flatMap(([, name = '', text = '']) => {
    const [first] = parseAllDocuments(text);
    const { kind, metadata } = (first?.toJS() ?? {}) as { kind?: string; metadata?: { name?: string } };
    if (kind === undefined || metadata?.name === undefined) return [];
    return [{ page, name, text, subject: `${kind.toLowerCase()}/${metadata.name}` }];
  });
}
