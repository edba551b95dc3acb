/**
 * `explain`: the source policies of each field, what was not applied and why; for a policy, a destination or an object
 * of a cluster.
 */
import { nearest, shortList } from '@meshrelay/api';
import type { ControlPlane } from '../control-plane.ts';
import type { ExplainContext } from './context.ts';
import type { ExplainDocument } from './document.ts';
import { explainDestination } from './explain-destination.ts';
import { explainOutput } from './explain-output.ts';
import { explainPolicy } from './explain-policy.ts';
import { allSubjects, type Subject, subjectsNamed, subjectText } from './subjects.ts';

/** A document, or the reason why it is missing. */
export type ExplainAnswer =
  | { readonly document: ExplainDocument }
  | { readonly problem: 'NOT_FOUND' | 'AMBIGUOUS'; readonly message: string; readonly candidates: readonly string[] };

/** The maximum number of candidates named. */
const MAX_NAMED = 20;
/** The maximum number of names compared with a mistyped one: enough for a suggestion, and little work in a server. */
const MAX_COMPARED = 20_000;

/**
 * Explains what `text` names: `[KIND/][[CLUSTER/]NAMESPACE/]NAME`, or the host name of a destination or
 * VirtualDestination. Changes nothing, except that it activates `shown`.
 */
export function explain(plane: ControlPlane, text: string, context: ExplainContext = {}): ExplainAnswer {
  const subjects = subjectsNamed(plane, text);
  const [subject] = subjects;
  if (subject === undefined) return notFound(plane, text);
  if (subjects.length > 1) return ambiguous(text, subjects);
  const document = documentOf(plane, subject, context);
  return document === undefined ? notFound(plane, text) : { document: withNotSent(document, context) };
}

function documentOf(
  plane: ControlPlane,
  { about, key }: Subject,
  context: ExplainContext,
): ExplainDocument | undefined {
  switch (about) {
    case 'policy':
      return explainPolicy(plane, key, context);
    case 'destination':
      return explainDestination(plane, key);
    case 'output':
      return explainOutput(plane, key, context);
  }
}

/** Adds the reason to each object if its cluster gets no updates. */
function withNotSent(document: ExplainDocument, { notSentTo }: ExplainContext): ExplainDocument {
  const of = (cluster: string): { readonly notSent?: string } => {
    const notSent = notSentTo?.(cluster);
    return notSent === undefined ? {} : { notSent };
  };
  if (document.about === 'output') return { ...document, ...of(document.object.cluster) };
  return { ...document, outputs: document.outputs.map((output) => ({ ...output, ...of(output.cluster) })) };
}

function ambiguous(text: string, subjects: readonly Subject[]): ExplainAnswer {
  const all = subjects.map(subjectText).sort();
  return {
    problem: 'AMBIGUOUS',
    message: `"${text}" matches ${all.length} objects; give the full name of one: ${shortList(all, MAX_NAMED)}`,
    candidates: all.slice(0, MAX_NAMED),
  };
}

function notFound(plane: ControlPlane, text: string): ExplainAnswer {
  const name = text.slice(text.lastIndexOf('/') + 1);
  const byName = new Map<string, Subject[]>();
  for (const subject of allSubjects(plane)) {
    const same = byName.get(subject.name);
    if (same !== undefined) same.push(subject);
    else if (byName.size < MAX_COMPARED) byName.set(subject.name, [subject]);
  }
  const meant = byName.has(name) ? name : nearest(name, byName.keys());
  const candidates = (meant === undefined ? [] : (byName.get(meant) ?? [])).map(subjectText).sort().slice(0, MAX_NAMED);
  const hint =
    candidates.length === 0
      ? 'write it as [KIND/][[CLUSTER/]NAMESPACE/]NAME, with _ for the management cluster'
      : `did you mean ${candidates.join(', ')}?`;
  return {
    problem: 'NOT_FOUND',
    message: `no policy, destination or generated object "${text}" found; ${hint}`,
    candidates,
  };
}
