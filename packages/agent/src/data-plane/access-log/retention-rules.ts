/**
 * Retention rules of each workload's access log, from AccessLogConfig objects of the cluster. An object applies only to
 * workloads of its own namespace, regardless of its author. Without an AccessLogRecord no proxy sends entries, unless a
 * user configured it by hand: then all entries are retained.
 */
import { type CompiledRules, compileRules, KEEP_ALL, type LogRule, type Reporter } from '@meshrelay/access-log-sink';
import type { AccessLogConfigSpec, KubeObject } from '@meshrelay/api';
import type { KindSink, ObjectKey } from '@meshrelay/kube';

export interface RetentionRulesOptions {
  /** Called for rules that cannot be evaluated here unchanged. */
  onUnfit(object: ObjectKey, rule: string, error: Error): void;
}

interface Requested {
  readonly workload: string;
  readonly rules: readonly LogRule[];
}

export class RetentionRules implements KindSink {
  readonly #options: RetentionRulesOptions;
  /** By namespace and name of the objects. */
  readonly #objects = new Map<string, Map<string, Requested>>();
  /** By namespace and name of the workload. Compiled in advance, because each message of each stream looks it up. */
  readonly #compiled = new Map<string, Map<string, CompiledRules>>();

  constructor(options: RetentionRulesOptions) {
    this.#options = options;
  }

  /** Returns the same object as long as nothing about the workload changes. */
  rulesFor({ workload }: Pick<Reporter, 'workload'>): CompiledRules {
    if (workload === undefined) return KEEP_ALL;
    return this.#compiled.get(workload.namespace)?.get(workload.name) ?? KEEP_ALL;
  }

  replaceAll(objects: readonly KubeObject[]): void {
    const there = new Set(objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
    for (const [namespace, own] of [...this.#objects])
      for (const name of [...own.keys()]) if (!there.has(`${namespace}/${name}`)) this.remove({ namespace, name });
    for (const object of objects) this.upsert(object);
  }

  upsert(object: KubeObject): void {
    const { namespace = '', name } = object.metadata;
    const { workload, rules } = object.spec as AccessLogConfigSpec;
    const own = this.#objects.get(namespace) ?? new Map<string, Requested>();
    const before = own.get(name);
    own.set(name, { workload, rules: rules.map((rule) => this.#fit({ namespace, name }, rule)) });
    this.#objects.set(namespace, own);
    if (before !== undefined && before.workload !== workload) this.#compile(namespace, before.workload);
    this.#compile(namespace, workload);
  }

  remove({ namespace = '', name }: ObjectKey): void {
    const own = this.#objects.get(namespace);
    const before = own?.get(name);
    if (own === undefined || before === undefined) return;
    own.delete(name);
    if (own.size === 0) this.#objects.delete(namespace);
    this.#compile(namespace, before.workload);
  }

  synced(): void {}

  /** Two controllers of different kinds may share a name: the rules for either apply to both. */
  #compile(namespace: string, workload: string): void {
    const requested = [...(this.#objects.get(namespace)?.values() ?? [])].filter((one) => one.workload === workload);
    const own = this.#compiled.get(namespace) ?? new Map<string, CompiledRules>();
    if (requested.length === 0) own.delete(workload);
    else own.set(workload, compileRules(requested.flatMap(({ rules }) => rules)));
    if (own.size === 0) this.#compiled.delete(namespace);
    else this.#compiled.set(namespace, own);
  }

  /**
   * Some regular expressions would let a caller block this process. Proxies still evaluate them, and what they send
   * counts as matched.
   */
  #fit(object: ObjectKey, rule: LogRule): LogRule {
    try {
      compileRules([rule]);
      return rule;
    } catch (error) {
      this.#options.onUnfit(object, rule.name, error as Error);
      return { ...rule, filters: [] };
    }
  }
}
