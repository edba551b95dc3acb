/** AccessLogRecords as access log rules of views. */
import type { AccessLogRecord } from '@meshrelay/api';
import { type AccessLogRuleView, memoize } from '@meshrelay/plugin';
import { accessLogRuleOf } from '../../fields/access-log/mod.ts';
import { canonicalJson } from '../../input/canonical.ts';
import { mergeRefs } from '../../store/precedence.ts';
import type { CheckedPolicy } from '../policies/mod.ts';

type Record_ = CheckedPolicy<AccessLogRecord>;

/** The rules of several records, in their order: each record requests its own entries; equal rules become one. */
export const accessLogRules: (records: readonly Record_[]) => readonly AccessLogRuleView[] = memoize((records) => {
  const byContent = new Map<string, AccessLogRuleView>();
  for (const record of records) {
    const rule = ruleOf(record);
    const { from, ...content } = rule;
    const id = canonicalJson(content);
    const known = byContent.get(id);
    byContent.set(id, known === undefined ? rule : { ...known, from: mergeRefs(known.from, from) });
  }
  return [...byContent.values()];
});

/** One record gives the same rule wherever it applies. */
const ruleOf = memoize(
  ({ object: { spec }, ref }: Record_): AccessLogRuleView => ({ ...accessLogRuleOf(spec), from: [ref] }),
);
