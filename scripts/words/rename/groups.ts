/**
 * Joins the symbols that must have the same name: an alias and its target, a property and those it implements, one
 * typed by another.
 */
import ts from 'typescript-6';
import { type Occurrence, propertiesOf } from './occurrences.ts';
import type { Kind } from './table.ts';

/** Declarations that get one name together. */
export interface Group {
  readonly name: string;
  readonly declarations: readonly ts.Node[];
  readonly kind: Kind;
}

export class Groups {
  readonly #checker: ts.TypeChecker;
  readonly #parent = new Map<ts.Node, ts.Node>();
  readonly #seen = new Set<ts.Symbol>();
  #groups: Map<ts.Node, Group> | undefined;
  readonly #names = new Map<ts.Node, string>();

  constructor(checker: ts.TypeChecker, occurrences: readonly Occurrence[]) {
    this.#checker = checker;
    for (const { symbols, local, name } of occurrences) {
      const nodes = symbols.flatMap((symbol) => this.#declarationsOf(symbol, name));
      this.#join(nodes);
      if (local) this.#join(this.#declarationsOf(local, name));
    }
  }

  /** The group of a symbol. Undefined for one that no table names, or without declarations. */
  of(symbol: ts.Symbol): Group | undefined {
    for (const each of [symbol, ...this.#checker.getRootSymbols(symbol)])
      for (const node of each.declarations ?? [])
        if (this.#parent.has(node)) return this.#byRoot().get(this.#root(node));
    return undefined;
  }

  #byRoot(): Map<ts.Node, Group> {
    if (this.#groups) return this.#groups;
    const members = new Map<ts.Node, ts.Node[]>();
    for (const node of [...this.#parent.keys()]) {
      const root = this.#root(node);
      const list = members.get(root);
      if (list) list.push(node);
      else members.set(root, [node]);
    }
    this.#groups = new Map(
      [...members].map(([root, declarations]) => [
        root,
        { name: this.#names.get(root) ?? '', declarations, kind: kindOf(declarations) },
      ]),
    );
    return this.#groups;
  }

  /** Declarations of a symbol and of all that semantically share its name. */
  #declarationsOf(symbol: ts.Symbol, name: string): ts.Node[] {
    const nodes: ts.Node[] = [];
    const add = (each: ts.Symbol, depth: number): void => {
      for (const node of each.declarations ?? []) {
        if (nodes.includes(node)) continue;
        nodes.push(node);
        this.#names.set(node, name);
      }
      if (depth > 6) return;
      if (each.flags & ts.SymbolFlags.Alias) {
        const target = aliasTarget(each, this.#checker);
        if (target && target !== each && target.name === name) add(target, depth + 1);
      }
      for (const root of this.#checker.getRootSymbols(each)) if (root !== each) add(root, depth + 1);
      if (!this.#seen.has(each)) {
        this.#seen.add(each);
        for (const base of this.#inherited(each, name)) add(base, depth + 1);
      }
    };
    add(symbol, 0);
    this.#join(nodes);
    return nodes;
  }

  /** The same member in the superclasses and interfaces. */
  #inherited(symbol: ts.Symbol, name: string): ts.Symbol[] {
    return (symbol.declarations ?? []).flatMap((node) => {
      const owner = node.parent;
      if (ts.isParameter(node) && ts.isConstructorDeclaration(owner)) return this.#inheritedBy(owner.parent, name);
      if (!owner || !(ts.isClassLike(owner) || ts.isInterfaceDeclaration(owner))) return [];
      return this.#inheritedBy(owner, name);
    });
  }

  #inheritedBy(owner: ts.Node, name: string): ts.Symbol[] {
    if (!(ts.isClassLike(owner) || ts.isInterfaceDeclaration(owner))) return [];
    return (owner.heritageClauses ?? []).flatMap(({ types }) =>
      types.flatMap((each) => propertiesOf(this.#checker.getTypeAtLocation(each), name, this.#checker)),
    );
  }

  #join(nodes: readonly ts.Node[]): void {
    const [first, ...others] = nodes;
    if (!first) return;
    const root = this.#root(first);
    for (const node of others) {
      const other = this.#root(node);
      if (other !== root) {
        this.#parent.set(other, root);
        this.#groups = undefined;
      }
    }
  }

  #root(node: ts.Node): ts.Node {
    const parent = this.#parent.get(node);
    if (parent === undefined) {
      this.#parent.set(node, node);
      this.#groups = undefined;
      return node;
    }
    if (parent === node) return node;
    const root = this.#root(parent);
    this.#parent.set(node, root);
    return root;
  }
}

function aliasTarget(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol | undefined {
  const target = checker.getAliasedSymbol(symbol);
  return checker.isUnknownSymbol(target) ? undefined : target;
}

function kindOf(declarations: readonly ts.Node[]): Kind {
  const of = (node: ts.Node): Kind =>
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isClassLike(node) ||
    ts.isTypeParameterDeclaration(node)
      ? 'type'
      : isMember(node)
        ? 'member'
        : 'value';
  const kinds = declarations.filter((node) => !ts.isImportSpecifier(node) && !ts.isExportSpecifier(node)).map(of);
  return kinds.includes('type') ? 'type' : kinds.includes('member') ? 'member' : 'value';
}

export function isMember(node: ts.Node): boolean {
  return (
    ts.isTypeElement(node) ||
    (ts.isClassElement(node) && !ts.isClassLike(node)) ||
    ts.isObjectLiteralElement(node) ||
    ts.isEnumMember(node) ||
    (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent))
  );
}
